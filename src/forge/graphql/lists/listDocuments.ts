import * as v from 'valibot';
import { below } from '../door/below.ts';
import { cursorPage } from '../door/cursorPage.ts';
import { graphql } from '../door/document.ts';
import { listWithSubscription, mailingList, numberedSubscription, threadRoot } from './listAnswers.ts';
import {
	droppableOfList,
	droppableOfMail,
	listFields,
	mailFields,
	shortListFields,
	subscribedFields,
} from './listPieces.ts';

const reading = { area: 'lists', scope: 'lists:read' } as const;
const writing = { area: 'lists', scope: 'lists:write' } as const;
const id = v.object({ id: v.number() });

export const listLists = {
	...reading,
	document: graphql(
		`query Lists($owner: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			lists(cursor: $cursor) { # MailingListCursor
				cursor
				results { # MailingList
					${listFields}
				}
			}
		}
	}`,
		droppableOfList,
	),
	read: below(['user', 'lists'], cursorPage(mailingList)),
};

/** `undefined` if the list doesn't exist or the account can't see it. */
export const readList = {
	...reading,
	document: graphql(
		`query List($owner: String!, $name: String!) { # Query
		user(username: $owner) { # User
			list(name: $name) { # MailingList
				${listFields}
			}
		}
	}`,
		droppableOfList,
	),
	read: below(['user', 'list'], mailingList),
};

export const createList = {
	...writing,
	document: graphql(`
		mutation CreateList($name: String!, $description: String, $visibility: Visibility!) {
			# Mutation
			createMailingList(name: $name, description: $description, visibility: $visibility) {
				# MailingList
				id
			}
		}
	`),
	read: below(['createMailingList'], id),
};

export const updateList = {
	...writing,
	document: graphql(`
		mutation UpdateList($id: Int!, $input: MailingListInput!) {
			# Mutation
			updateMailingList(id: $id, input: $input) {
				# MailingList
				id
			}
		}
	`),
	read: below(['updateMailingList'], id),
};

export const deleteList = {
	...writing,
	document: graphql(`
		mutation DeleteList($id: Int!) {
			# Mutation
			deleteMailingList(id: $id) {
				# MailingList
				id
			}
		}
	`),
	read: below(['deleteMailingList'], id),
};

/** First mails of threads, newest thread first. */
export const listThreads = {
	area: 'lists',
	scope: 'emails:read',
	document: graphql(
		`query Threads($owner: String!, $name: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			list(name: $name) { # MailingList
				threads(cursor: $cursor) { # ThreadCursor
					cursor
					results { # Thread
						root { # Email
							${mailFields}
						}
					}
				}
			}
		}
	}`,
		droppableOfMail,
	),
	read: below(['user', 'list', 'threads'], cursorPage(threadRoot)),
} as const;

const subscribing = { area: 'lists', scope: 'subs:write' } as const;

const subscribed = { area: 'lists', scope: 'subs:read' } as const;

/** The account's subscriptions. Omits all lists if one of them is hidden (docs/protocol.md#graphql-subscriptions). */
export const listSubscriptions = {
	...subscribed,
	document: graphql(
		`query Subscriptions($cursor: Cursor) { # Query
		subscriptions(cursor: $cursor) { # ActivitySubscriptionCursor
			cursor
			results { # ActivitySubscription
				id
				created
				... on MailingListSubscription { list ${shortListFields} }
			}
		}
	}`,
		[{ type: 'MailingListSubscription', field: 'list' }],
	),
	read: below(['subscriptions'], cursorPage(numberedSubscription)),
};

/** A user's lists with the account's subscriptions. */
export const listSubscribed = {
	...subscribed,
	document: graphql(`query SubscribedLists($owner: String!, $cursor: Cursor) { # Query
		user(username: $owner) { # User
			lists(cursor: $cursor) { # MailingListCursor
				cursor
				results { # MailingList
					${subscribedFields}
				}
			}
		}
	}`),
	read: below(['user', 'lists'], cursorPage(listWithSubscription)),
};

/** The account's subscription to one list. */
export const readSubscribed = {
	...subscribed,
	document: graphql(`query SubscribedList($owner: String!, $name: String!) { # Query
		user(username: $owner) { # User
			list(name: $name) { # MailingList
				${subscribedFields}
			}
		}
	}`),
	read: below(['user', 'list'], listWithSubscription),
};

export const subscribeToList = {
	...subscribing,
	document: graphql(`
		mutation Subscribe($id: Int!) {
			# Mutation
			mailingListSubscribe(listID: $id) {
				# MailingListSubscription
				id
			}
		}
	`),
	read: below(['mailingListSubscribe'], id),
};

export const unsubscribeFromList = {
	...subscribing,
	document: graphql(`
		mutation Unsubscribe($id: Int!) {
			# Mutation
			mailingListUnsubscribe(listID: $id) {
				# MailingListSubscription
				id
			}
		}
	`),
	read: below(['mailingListUnsubscribe'], id),
};
