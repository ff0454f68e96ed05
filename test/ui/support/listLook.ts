import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { SampleForge } from '../../support/sampleForge.ts';

const mail = v.object({
	id: v.number(),
	messageId: v.string(),
	subject: v.string(),
	sender: v.nullable(v.string()),
	thread: v.number(),
	text: v.string(),
});

const looked = v.object({
	description: v.nullable(v.string()),
	mails: v.array(mail),
	patchsets: v.array(v.object({ id: v.number(), subject: v.string(), status: v.string() })),
});

/** A mail on the forge. Its Message-ID has angle brackets; `thread` is the first mail's number. */
export type ForgeMail = Readonly<v.InferOutput<typeof mail>>;

/** A list on the forge, in any protocol, in chronological order. */
export type ForgeList = Readonly<v.InferOutput<typeof looked>>;

/** `list` as `~alice/lantern-devel`. */
export async function lookAtList(forge: SampleForge, list: string): Promise<ForgeList> {
	return v.parse(looked, await forge.act('/lists/look', { list }));
}

/** The mails of the thread whose first mail has this subject, that one first. */
export async function threadOf(forge: SampleForge, list: string, subject: string): Promise<readonly ForgeMail[]> {
	const { mails } = await lookAtList(forge, list);
	const first = mails.findLast((each) => each.subject === subject && each.thread === each.id);
	assert.ok(first, `There is no thread ${subject}`);
	return mails.filter(({ thread }) => thread === first.id);
}
