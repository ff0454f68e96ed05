import {
	listPermissionWords,
	patchsetStatuses,
	toolStates,
	type Email,
	type ListPermission,
	type ListPermissions,
	type MailingList,
	type Patchset,
	type PatchsetStatus,
	type PatchsetTool,
	type ShortEmail,
	type ShortList,
	type Subscription,
} from '../../forge/list.ts';
import type { StatedChanges } from '../../forge/statedChanges.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import type { MailSummary } from './mailSummary.ts';
import { flag, whole, maybe, time, text, listOf, extraFieldOf, shortUserOf, keptWord } from '../shared/keptFields.ts';

/*
 * Decoders for mails on disk. A file may be truncated or come from another version, so each decoder is as strict as for
 * server data and throws on invalid values.
 */

/** A mail without its text, which has a file part of its own. */
export type EmailHead = Omit<Email, 'envelope'>;

export function emailHeadOf(value: unknown): EmailHead {
	const { isPatch, isRequestPull, replies, participants } = fieldsOf(value);
	return {
		...shortEmailOf(value),
		isPatch: flag(isPatch),
		isRequestPull: flag(isRequestPull),
		replies: whole(replies),
		participants: whole(participants),
	};
}

export function summaryOf(value: unknown): MailSummary {
	const { isPatch, changes } = fieldsOf(value);
	return { ...shortEmailOf(value), isPatch: maybe(isPatch, flag), changes: maybe(changes, changesOf) };
}

function changesOf(value: unknown): StatedChanges {
	const { files, insertions, deletions } = fieldsOf(value);
	return { files: whole(files), insertions: whole(insertions), deletions: whole(deletions) };
}

export function patchsetOf(value: unknown): Patchset {
	const { id, createdMs, updatedMs, subject, prefix, version, status, list, coverLetter, ...rest } = fieldsOf(value);
	const { supersededById, supersedesId, tools, submitter, replyTo, messageId, extra } = rest;
	return {
		id: whole(id),
		createdMs: time(createdMs),
		updatedMs: time(updatedMs),
		subject: text(subject),
		prefix: maybe(prefix, text),
		version: whole(version),
		status: statusOf(status),
		list: maybe(list, shortListOf),
		coverLetter: maybe(coverLetter, shortEmailOf),
		supersededById: maybe(supersededById, whole),
		...(supersedesId === undefined ? {} : { supersedesId: whole(supersedesId) }),
		...(tools === undefined ? {} : { tools: listOf(tools, toolOf) }),
		submitter: maybe(submitter, text),
		replyTo: maybe(replyTo, text),
		messageId: maybe(messageId, text),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function toolOf(value: unknown): PatchsetTool {
	const { id, updatedMs, state, details } = fieldsOf(value);
	return { id: whole(id), updatedMs: time(updatedMs), state: keptWord(toolStates, state), details: text(details) };
}

export function shortEmailOf(value: unknown): ShortEmail {
	const { id, createdMs, subject, messageId, parentId, threadId, list, sender, from, ...rest } = fieldsOf(value);
	const { patchsetId, patchset, extra } = rest;
	return {
		id: whole(id),
		createdMs: time(createdMs),
		subject: text(subject),
		messageId: text(messageId),
		parentId: maybe(parentId, whole),
		threadId: maybe(threadId, whole),
		list: maybe(list, shortListOf),
		sender: maybe(sender, shortUserOf),
		...(from === undefined ? {} : { from: text(from) }),
		patchsetId: maybe(patchsetId, whole),
		...(patchset === undefined ? {} : { patchset: shortPatchsetOf(patchset) }),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function shortPatchsetOf(value: unknown): Pick<Patchset, 'version' | 'status'> {
	const { version, status } = fieldsOf(value);
	return { version: whole(version), status: statusOf(status) };
}

function statusOf(value: unknown): PatchsetStatus {
	return keptWord(patchsetStatuses, value);
}

export function mailingListOf(value: unknown): MailingList {
	const { id, rid, createdMs, updatedMs, description, permissions, extra } = fieldsOf(value);
	return {
		...shortListOf(value),
		id: maybe(id, whole),
		...(rid === undefined ? {} : { rid: text(rid) }),
		createdMs: time(createdMs),
		updatedMs: time(updatedMs),
		description: maybe(description, text),
		permissions: maybe(permissions, permissionsOf),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function permissionsOf(value: unknown): ListPermissions {
	const { mine, nonsubscriber, subscriber, account } = fieldsOf(value);
	const wordsOf = (words: unknown): readonly ListPermission[] =>
		listOf(words, (word) => keptWord(listPermissionWords, word));
	return {
		...(mine === undefined ? {} : { mine: wordsOf(mine) }),
		nonsubscriber: maybe(nonsubscriber, wordsOf),
		subscriber: maybe(subscriber, wordsOf),
		account: maybe(account, wordsOf),
	};
}

export function subscriptionOf(value: unknown): Subscription {
	const { id, createdMs, list } = fieldsOf(value);
	return { id: whole(id), createdMs: time(createdMs), list: shortListOf(list) };
}

function shortListOf(value: unknown): ShortList {
	const { name, owner } = fieldsOf(value);
	return { name: text(name), owner: shortUserOf(owner) };
}
