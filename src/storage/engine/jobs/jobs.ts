import { refuseDoubles } from '../../../lib/refuse-doubles.ts';
import type { Database } from '../database.ts';
import type { JobFunction } from '../reserve-jobs.ts';
import type { Subject } from '../subject.ts';

/** All subjects. Each adds itself; a job's name determines the type of its input by them. */
// biome-ignore lint/suspicious/noEmptyInterface: subjects declare its members
export interface KnownSubjects {}

/** The jobs of each maker, with its place. */
type Made<By> = {
  [Of in keyof By & string]: By[Of] extends { readonly jobs: infer Makers }
    ? {
        [Maker in keyof Makers & string]: {
          readonly place: `${Of}.${Maker}`;
          readonly jobs: Makers[Maker] extends (db: Database) => infer Jobs ? Jobs : never;
        };
      }[keyof Makers & string]
    : never;
}[keyof By & string];

type NameIn<Part> = Part extends { readonly jobs: infer Jobs } ? keyof Jobs & string : never;
type With<Name, Part> = Part extends { readonly jobs: infer Jobs }
  ? Name extends keyof Jobs
    ? Part
    : never
  : never;
type IsOne<Each, All = Each> = Each extends unknown ? ([All] extends [Each] ? true : false) : never;
type Doubles<Part extends { readonly place: string }> = {
  [Name in NameIn<Part>]: IsOne<With<Name, Part>['place']> extends true
    ? never
    : [Name, With<Name, Part>['place']];
}[NameIn<Part>];

/** Makes the compiler reject two jobs of one name, as a start would. */
export type WithoutDoubles<By> = [Doubles<Made<By>>] extends [never] ? unknown : Doubles<Made<By>>;

type Ours = Made<KnownSubjects>;

export type JobName = NameIn<Ours>;
export type Jobs = {
  readonly [Name in JobName]: With<Name, Ours>['jobs'][Name & keyof With<Name, Ours>['jobs']];
};
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[0];
export type JobOutput<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** One change to write; its name determines the type of its input. */
export type Job = {
  readonly [Name in JobName]: { readonly name: Name; readonly input: JobInput<Name> };
}[JobName];

/**
 * Prepares the jobs of subjects on one connection.
 *
 * @throws Fault when two have one name
 */
export function jobsOf(
  subjects: Readonly<Record<string, Pick<Subject, 'jobs' | 'reactions'>>>,
  db: Database,
): Readonly<Record<string, JobFunction>> {
  for (const { reactions = [] } of Object.values(subjects)) for (const prepare of reactions) prepare(db);
  const jobs = Object.entries(subjects).flatMap(([subject, { jobs }]) =>
    Object.entries(jobs).flatMap(([maker, make]) =>
      Object.entries(make(db)).map(([name, run]) => ({ name, run, place: `${subject}.${maker}` })),
    ),
  );
  refuseDoubles('job', jobs);
  return Object.fromEntries(jobs.map(({ name, run }) => [name, run]));
}
