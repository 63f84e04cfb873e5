import { refuseDoubles } from '../lib/refuse-doubles.ts';
import type { Database } from './engine/database.ts';
import type { JobFunction } from './engine/reserve-jobs.ts';
import { ofRetention } from './engine/retention.ts';
import type { Subject } from './engine/subject.ts';
import { futureMomentJobs } from './future-moments.ts';
import { SUBJECTS } from './subjects.ts';

const freePageJobs = ({ sqlDialect, connection }: Database) => ({
  giveBackPages: ofRetention(({ isFull }) => ({ all: isFull }), sqlDialect.giveBackPages(connection)),
});

const MAKERS = {
  ...SUBJECTS,
  /** What is of all subjects; after retention has forgotten rows of each, it gives back the room. */
  storage: { jobs: { freePageJobs, futureMomentJobs } },
};

type Makers = Readonly<Record<string, Pick<Subject, 'jobs' | 'reactions'>>>;

/**
 * Prepares the jobs of subjects on one connection.
 *
 * @throws Fault when two have one name
 */
export function jobsOf(subjects: Makers, db: Database): Readonly<Record<string, JobFunction>> {
  for (const { reactions = [] } of Object.values(subjects)) for (const prepare of reactions) prepare(db);
  const jobs = Object.entries(subjects).flatMap(([subject, { jobs }]) =>
    Object.entries(jobs).flatMap(([maker, make]) =>
      Object.entries(make(db)).map(([name, run]) => ({ name, run, place: `${subject}.${maker}` })),
    ),
  );
  refuseDoubles('job', jobs);
  return Object.fromEntries(jobs.map(({ name, run }) => [name, run]));
}

/** What each maker makes, with its place. */
type Made<By extends Makers> = {
  [Of in keyof By & string]: {
    [Maker in keyof By[Of]['jobs'] & string]: {
      readonly place: `${Of}.${Maker}`;
      readonly jobs: ReturnType<By[Of]['jobs'][Maker]>;
    };
  }[keyof By[Of]['jobs'] & string];
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

/** Has the compiler refuse what a start would: two jobs of one name. */
export type WithoutDoubles<By extends Makers> = [Doubles<Made<By>>] extends [never]
  ? unknown
  : Doubles<Made<By>>;

type Ours = Made<typeof MAKERS>;

export type JobName = NameIn<Ours>;
export type Jobs = {
  readonly [Name in JobName]: With<Name, Ours>['jobs'][Name & keyof With<Name, Ours>['jobs']];
};
export type JobInput<Name extends JobName> = Parameters<Jobs[Name]>[0];
export type JobOutput<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** One change that is to be written: its name tells what it is given. */
export type Job = {
  readonly [Name in JobName]: { readonly name: Name; readonly input: JobInput<Name> };
}[JobName];

/** Every change that can be written, with its statements prepared on one connection. */
export const prepareJobs = (db: Database): Jobs =>
  jobsOf(MAKERS satisfies WithoutDoubles<typeof MAKERS>, db) as unknown as Jobs;
