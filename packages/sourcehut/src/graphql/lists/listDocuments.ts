import * as v from 'valibot';
import type { ShortList } from '../../port/list.ts';
import { cursorPage } from '../transport/listed.ts';
import { mutation, ofOwner, query } from '../transport/operations.ts';
import { selected, withArguments } from '../transport/selection.ts';
import {
	describedMail,
	droppableOfList,
	droppableOfMail,
	inList,
	listWithSubscription,
	mailingList,
	mailOfList,
	mailWithThread,
	numberedSubscription,
	patchset,
	threadHead,
	threadRoot,
	type FoundMail,
} from './listAnswers.ts';

const readsLists = { area: 'lists', scope: 'lists:read' } as const;
const writesLists = { area: 'lists', scope: 'lists:write' } as const;
const readsMails = { area: 'lists', scope: 'emails:read' } as const;
const readsPatches = { area: 'lists', scope: 'patches:read' } as const;
const readsSubscriptions = { area: 'lists', scope: 'subs:read' } as const;
const writesSubscriptions = { area: 'lists', scope: 'subs:write' } as const;

const lists = [ofOwner, 'lists(cursor: $cursor Cursor)'];

export const listLists = query(readsLists, 'Lists', lists, cursorPage(mailingList), droppableOfList);
export const readList = query(readsLists, 'List', inList, mailingList, droppableOfList);
export const createList = mutation(
	writesLists,
	`createMailingList(
		name: $name String!, description: $description String, visibility: $visibility Visibility!
	): MailingList`,
);
export const updateList = mutation(
	writesLists,
	'updateMailingList(id: $id Int!, input: $input MailingListInput!): MailingList',
);
export const deleteList = mutation(writesLists, 'deleteMailingList(id: $id Int!): MailingList');

/** First mails of threads, newest thread first. */
export const listThreads = query(
	{ ...readsMails, isLossy: true },
	'Threads',
	[...inList, 'threads(cursor: $cursor Cursor)'],
	cursorPage(threadRoot),
	droppableOfMail,
);

/** The account's subscriptions. Omits all lists if one of them is hidden (docs/protocol.md#graphql-subscriptions). */
export const listSubscriptions = query(
	readsSubscriptions,
	'Subscriptions',
	['subscriptions(cursor: $cursor Cursor)'],
	cursorPage(numberedSubscription),
	[{ type: 'MailingListSubscription', field: 'list' }],
);
/** A user's lists with the account's subscriptions. */
export const listSubscribed = query(readsSubscriptions, 'SubscribedLists', lists, cursorPage(listWithSubscription));
/** The account's subscription to one list. */
export const readSubscribed = query(readsSubscriptions, 'SubscribedList', inList, listWithSubscription);
export const subscribeToList = mutation(
	writesSubscriptions,
	'mailingListSubscribe(listID: $id Int!): MailingListSubscription',
);
export const unsubscribeFromList = mutation(
	writesSubscriptions,
	'mailingListUnsubscribe(listID: $id Int!): MailingListSubscription',
);

export const readMail = query(readsMails, 'Mail', ['email(id: $id Int!)'], mailWithThread, droppableOfMail);

/** The mails of a list, newest first, without text. */
export const listMails = query(
	{ ...readsMails, isLossy: true },
	'Mails',
	[...inList, 'emails(cursor: $cursor Cursor)'],
	cursorPage(mailOfList),
	droppableOfMail,
);

/** Finds a mail by its Message-ID with angle brackets, within one list. `undefined`: the list doesn't exist. */
export const findMail = query(
	readsMails,
	'MailOfList',
	inList,
	v.pipe(
		v.object({
			id: v.number(),
			message: withArguments('(messageID: $messageId String!)', v.optional(v.nullable(mailWithThread))),
		}),
		// Older servers lack the field, so the query omitted it.
		v.transform(({ message }): MailOfList =>
			message === undefined ? { kind: 'notAskedFor' } : { kind: 'asked', mail: message ?? undefined },
		),
	),
	droppableOfMail,
);

type MailOfList = { readonly kind: 'notAskedFor' } | { readonly kind: 'asked'; readonly mail: FoundMail | undefined };

/** A thread from the API, without the texts of its mails. */
export interface ThreadMails {
	/** Id of the thread's first mail. */
	readonly rootId: number;
	readonly mails: readonly FoundMail[];
	readonly list: ShortList | undefined;
}

/**
 * The mails of a thread. The API can't page a thread's replies (docs/protocol.md#graphql-pages-of-mails), but its text
 * blocks are complete, and each names its mail.
 */
const threadMails = v.pipe(
	selected('Thread', {
		...threadHead,
		root: describedMail,
		blocks: v.array(selected('ThreadBlock', { source: describedMail })),
	}),
	v.transform(({ root, blocks, replies, participants }): ThreadMails => {
		const byId = new Map([root, ...blocks.map(({ source }) => source)].map((mail) => [mail.id, mail]));
		const found = [...byId.values()].map(({ isPatch, in: inThread }): FoundMail => ({
			mail: inThread(root.id),
			isPatch,
			replies,
			participants,
		}));
		return { rootId: root.id, mails: found, list: root.in(root.id).list };
	}),
);

/** The thread of a mail. */
export const readThread = query(
	readsMails,
	'Thread',
	['email(id: $id Int!): Email', 'thread'],
	threadMails,
	droppableOfMail,
);

export const listPatchsets = query(
	{ ...readsPatches, isLossy: true },
	'Patchsets',
	[...inList, 'patches(cursor: $cursor Cursor)'],
	cursorPage(patchset),
);
export const readPatchset = query(readsPatches, 'Patchset', ['patchset(id: $id Int!)'], patchset);
/** The mails of a patchset's thread, including the patches. */
export const readPatchsetThread = query(
	readsPatches,
	'PatchsetThread',
	['patchset(id: $id Int!): Patchset', 'thread'],
	threadMails,
);
export const updatePatchset = mutation(
	{ area: 'lists', scope: 'patches:write' } as const,
	'updatePatchset(id: $id Int!, status: $status PatchsetStatus!): Patchset',
);
