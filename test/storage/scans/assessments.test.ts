import { expect, test } from 'bun:test';
import type { Grade } from '../../../src/domain/assessment/assessment.ts';
import { disconnect } from '../../../src/storage/engine/database.ts';
import { keepAssessments } from '../../../src/storage/scans/assessment-jobs.ts';
import { readAssessments } from '../../../src/storage/scans/assessments.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

test('the newest assessments of a site are retained, and older ones that decide its public trust state', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  const { keepAssessment } = keepAssessments(db);
  const keep = (licenseId: number, madeAt: number, grade: Grade) =>
    keepAssessment(
      {
        id: madeAt,
        publicId: `scan${madeAt}`,
        licenseId,
        domain: 'shop.test',
        type: 'assessment',
        trigger: 'api',
      },
      [],
      {
        grade,
        score: 50,
        assessedAt: madeAt,
        vulnerabilities: [],
        mirror: null,
        parts: {
          telemetry: { score: 50, at: madeAt, complete: true },
          surface: null,
          vulnerabilities: null,
        },
      },
      madeAt,
    );
  await keep(2, 1, 'F');
  await keep(1, 1, 'A');
  await keep(1, 2, 'B');
  for (let madeAt = 3; madeAt < 70; madeAt++) await keep(1, madeAt, 'C');
  const madeOf = async (licenseId: number) =>
    (await readAssessments(db).since(licenseId, 'shop.test', 0)).map(({ madeAt }) => madeAt);
  const newest = Array.from({ length: 50 }, (_, at) => 69 - at);
  // The A with its successor, and the B with the first lesser one.
  expect(await madeOf(1)).toEqual([...newest, 3, 2, 1]);
  expect(await madeOf(2)).toEqual([1]);
  await disconnect(db);
});
