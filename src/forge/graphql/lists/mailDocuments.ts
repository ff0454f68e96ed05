import * as v from 'valibot';
import type { ShortList } from '../../port/list.ts';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { mailInThread, mailWithThread, patchset, threadHead, type FoundMail } from './listAnswers.ts';
import { droppableOfMail, mailFields, mailWithThreadFields, patchsetFields, threadHeadFields } from './listPieces.ts';

const mails = { area: 'lists', scope: 'emails:read' } as const;
const patches = { area: 'lists', scope: 'patches:read' } as const;

export const readMail = {
	...mails,
	document: graphql(
		`query Mail($id: Int!) { # Query
		email(id: $id) { # Email
			${mailWithThreadFields}
		}
	}`,
		droppableOfMail,
	),
	read: below(['email'], mailWithThread),
};

/** The mails of a list, newest first, without text. */
export const listMails = {
	...mails,
	document: graphql(
		`query Mails($owner: String!, $name: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			list(name: $name) { # MailingList
				emails(cursor: $cursor) { # EmailCursor
					cursor
					results { # Email
						${mailWithThreadFields}
					}
				}
			}
		}
	}`,
		droppableOfMail,
	),
	read: below(
		['user', 'list', 'emails'],
		cursorPage(
			v.pipe(
				mailWithThread,
				v.transform(({ mail }) => mail),
			),
		),
	),
};

/** Finds a mail by its Message-ID with angle brackets, within one list. `undefined`: the list doesn't exist. */
export const findMail = {
	...mails,
	document: graphql(
		`query MailOfList($owner: String!, $name: String!, $messageId: String!) { # Query
		user(username: $owner) { # User
			list(name: $name) { # MailingList
				id
				message(messageID: $messageId) { # Email
					${mailWithThreadFields}
				}
			}
		}
	}`,
		droppableOfMail,
	),
	read: below(
		['user', 'list'],
		v.pipe(
			v.object({ message: v.optional(v.nullable(mailWithThread)) }),
			// Older servers lack the field, so the query omitted it.
			v.transform(({ message }): MailOfList =>
				message === undefined ? { kind: 'notAskedFor' } : { kind: 'asked', mail: message ?? undefined },
			),
		),
	),
};

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

const threadFields = `{ # Thread
	${threadHeadFields}
	root { # Email
		${mailFields}
	}
	blocks { # ThreadBlock
		source { # Email
			${mailFields}
		}
	}
}`;

/** The thread of a mail. */
export const readThread = {
	...mails,
	document: graphql(
		`query Thread($id: Int!) { # Query
		email(id: $id) { # Email
			thread ${threadFields}
		}
	}`,
		droppableOfMail,
	),
	read: below(['email', 'thread'], threadMails),
};

export const listPatchsets = {
	...patches,
	document: graphql(`query Patchsets($owner: String!, $name: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			list(name: $name) { # MailingList
				patches(cursor: $cursor) { # PatchsetCursor
					cursor
					results { # Patchset
						${patchsetFields}
					}
				}
			}
		}
	}`),
	read: below(['user', 'list', 'patches'], cursorPage(patchset)),
};

export const readPatchset = {
	...patches,
	document: graphql(`query Patchset($id: Int!) { # Query
		patchset(id: $id) { # Patchset
			${patchsetFields}
		}
	}`),
	read: below(['patchset'], patchset),
};

/** The mails of a patchset's thread, including the patches. */
export const readPatchsetThread = {
	...patches,
	document: graphql(`query PatchsetThread($id: Int!) { # Query
		patchset(id: $id) { # Patchset
			thread ${threadFields}
		}
	}`),
	read: below(['patchset', 'thread'], threadMails),
};

export const updatePatchset = {
	area: 'lists',
	scope: 'patches:write',
	document: graphql(`
		mutation UpdatePatchset($id: Int!, $status: PatchsetStatus!) {
			# Mutation
			updatePatchset(id: $id, status: $status) {
				# Patchset
				id
			}
		}
	`),
	read: below(['updatePatchset'], v.object({ id: v.number() })),
} as const;
