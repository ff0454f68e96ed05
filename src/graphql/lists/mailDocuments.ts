import * as v from 'valibot';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { mailInThread, patchset, threadHead } from './listAnswers.ts';
import { mailFields, patchsetFields } from './listPieces.ts';

const mails = { area: 'lists', scope: 'emails:read' } as const;
const patches = { area: 'lists', scope: 'patches:read' } as const;

const mailWithThread = v.pipe(
	v.intersect([mailInThread, v.object({ thread: threadHead })]),
	v.transform(({ isPatch, in: inThread, thread: { replies, participants, root } }) => ({
		mail: inThread(root.id),
		isPatch,
		replies,
		participants,
	})),
);

const mailWithThreadFields = `
	${mailFields}
	thread { # Thread
		replies
		participants
		root { # Email
			id
		}
	}`;

/** One mail by its number. */
export const readMail = {
	...mails,
	document: graphql(`query Mail($id: Int!) { # Query
		email(id: $id) { # Email
			${mailWithThreadFields}
		}
	}`),
	read: below(['email'], mailWithThread),
};

/** One mail by its Message-ID, with its brackets; it is found in its list alone. */
export const findMail = {
	...mails,
	document: graphql(`query MailOfList($owner: String!, $name: String!, $messageId: String!) { # Query
		user(username: $owner) { # User
			list(name: $name) { # MailingList
				message(messageID: $messageId) { # Email
					${mailWithThreadFields}
				}
			}
		}
	}`),
	read: below(['user', 'list', 'message'], mailWithThread),
};

/**
 * All mails of a thread. Its answers cannot be paged (docs/protocol.md#graphql-pages), but the blocks of its texts come
 * whole and each names its mail.
 */
const threadMails = v.pipe(
	v.object({ root: v.object({ id: v.number() }), blocks: v.array(v.object({ source: mailInThread })) }),
	v.transform(({ root, blocks }) => {
		const byId = new Map(blocks.map(({ source }) => [source.id, source]));
		return {
			rootId: root.id,
			mails: [...byId.values()].map((mail) => ({ mail: mail.in(root.id), isPatch: mail.isPatch })),
		};
	}),
);

const threadFields = `{ # Thread
	root { # Email
		id
	}
	blocks { # ThreadBlock
		source { # Email
			${mailFields}
		}
	}
}`;

/** The thread that a mail is in. */
export const readThread = {
	...mails,
	document: graphql(`query Thread($id: Int!) { # Query
		email(id: $id) { # Email
			thread ${threadFields}
		}
	}`),
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

/** The mails of the thread that a patchset came in, its patches among them. */
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
	document: graphql(`mutation UpdatePatchset($id: Int!, $status: PatchsetStatus!) { # Mutation
		updatePatchset(id: $id, status: $status) { # Patchset
			${patchsetFields}
		}
	}`),
	read: below(['updatePatchset'], patchset),
} as const;
