import * as v from 'valibot';
import type { ShortList } from '../../port/list.ts';
import { cursorPage } from '../door/listed.ts';
import { mutation, pageOf, query } from '../door/operations.ts';
import {
	droppableOfMail,
	mailFields,
	mailInThread,
	mailWithThread,
	mailWithThreadFields,
	patchset,
	patchsetFields,
	threadHead,
	threadHeadFields,
	type FoundMail,
} from './listAnswers.ts';

const mails = { area: 'lists', scope: 'emails:read' } as const;
const patches = { area: 'lists', scope: 'patches:read' } as const;
const inList = ['user(username: $owner): User', 'list(name: $name): MailingList'];

export const readMail = query(
	mails,
	['Mail($id: Int!)', 'email(id: $id): Email'],
	mailWithThreadFields,
	mailWithThread,
	droppableOfMail,
);

/** The mails of a list, newest first, without text. */
export const listMails = query(
	{ ...mails, isLossy: true },
	['Mails($owner: String!, $name: String!, $cursor: Cursor)', ...inList, 'emails(cursor: $cursor): EmailCursor'],
	pageOf('Email', mailWithThreadFields),
	cursorPage(
		v.pipe(
			mailWithThread,
			v.transform(({ mail }) => mail),
		),
	),
	droppableOfMail,
);

/** Finds a mail by its Message-ID with angle brackets, within one list. `undefined`: the list doesn't exist. */
export const findMail = query(
	mails,
	['MailOfList($owner: String!, $name: String!, $messageId: String!)', ...inList],
	`id
	message(messageID: $messageId) { # Email
		${mailWithThreadFields}
	}`,
	v.pipe(
		v.object({ message: v.optional(v.nullable(mailWithThread)) }),
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
	v.object({ ...threadHead.entries, root: mailInThread, blocks: v.array(v.object({ source: mailInThread })) }),
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

const threadFields = `
	${threadHeadFields}
	root { # Email
		${mailFields}
	}
	blocks { # ThreadBlock
		source { # Email
			${mailFields}
		}
	}`;

/** The thread of a mail. */
export const readThread = query(
	mails,
	['Thread($id: Int!)', 'email(id: $id): Email', 'thread: Thread'],
	threadFields,
	threadMails,
	droppableOfMail,
);

export const listPatchsets = query(
	{ ...patches, isLossy: true },
	[
		'Patchsets($owner: String!, $name: String!, $cursor: Cursor)',
		...inList,
		'patches(cursor: $cursor): PatchsetCursor',
	],
	pageOf('Patchset', patchsetFields),
	cursorPage(patchset),
);

export const readPatchset = query(
	patches,
	['Patchset($id: Int!)', 'patchset(id: $id): Patchset'],
	patchsetFields,
	patchset,
);

/** The mails of a patchset's thread, including the patches. */
export const readPatchsetThread = query(
	patches,
	['PatchsetThread($id: Int!)', 'patchset(id: $id): Patchset', 'thread: Thread'],
	threadFields,
	threadMails,
);

export const updatePatchset = mutation(
	{ area: 'lists', scope: 'patches:write' } as const,
	'UpdatePatchset($id: Int!, $status: PatchsetStatus!)',
	'updatePatchset(id: $id, status: $status): Patchset',
);
