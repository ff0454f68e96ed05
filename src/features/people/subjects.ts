import * as v from 'valibot';
import { subjectReader } from '../../editor/commands/subjects.ts';
import { named, whole } from '../../store/shared/keptText.ts';

const person = v.object({
	kind: v.literal('person'),
	connectionKey: v.string(),
	/** `~alice`, or an e-mail address. */
	name: v.pipe(v.string(), v.check(isOwnerName)),
});
export type PersonSubject = Readonly<v.InferOutput<typeof person>>;
export const personSubject = subjectReader(person);

const mail = v.object({ kind: v.literal('mail'), connectionKey: v.string(), list: named, id: whole });
export type SentMail = Readonly<v.InferOutput<typeof mail>>;
const patchset = v.object({
	kind: v.literal('patchset'),
	connectionKey: v.string(),
	ref: v.object({ list: named, id: whole }),
});

/** The mail or the patchset that a row or a page of the lists area is about. */
export const sentSubject = subjectReader(v.variant('kind', [mail, patchset]));

/** True for `~name` and for a possible e-mail address. */
export function isOwnerName(text: string): boolean {
	return text.length <= 512 && /^(?:~[^\s/<>]+|[^\s~/<>@][^\s/<>@]*@[^\s/<>@]+)$/.test(text);
}
