import * as v from 'valibot';
import { subjectReader } from '../../../editor/commands/subjects.ts';

const filter = v.object({ kind: v.literal('filter'), name: v.string(), where: v.picklist(['user', 'workspace']) });
export type FilterSubject = Readonly<v.InferOutput<typeof filter>>;

/** Subject of commands on the unsaved filter over all trackers. */
const appliedFilter = v.object({ kind: v.literal('appliedFilter') });
export type AppliedFilterSubject = Readonly<v.InferOutput<typeof appliedFilter>>;

export const filterSubject = subjectReader(v.variant('kind', [filter, appliedFilter]));
