import { cursorPage } from '../door/listed.ts';
import { mutation, pageOf, query } from '../door/operations.ts';
import {
	droppableOfList,
	droppableOfMail,
	listFields,
	listWithSubscription,
	mailFields,
	mailingList,
	numberedSubscription,
	shortListFields,
	subscribedFields,
	threadRoot,
} from './listAnswers.ts';

const reading = { area: 'lists', scope: 'lists:read' } as const;
const writing = { area: 'lists', scope: 'lists:write' } as const;
const inList = ['user(username: $owner): User', 'list(name: $name): MailingList'];

export const listLists = query(
	reading,
	[
		'Lists($owner: String!, $cursor: Cursor)',
		'user(username: $owner): User',
		'lists(cursor: $cursor): MailingListCursor',
	],
	pageOf('MailingList', listFields),
	cursorPage(mailingList),
	droppableOfList,
);

export const readList = query(
	reading,
	['List($owner: String!, $name: String!)', ...inList],
	listFields,
	mailingList,
	droppableOfList,
);

export const createList = mutation(
	writing,
	'CreateList($name: String!, $description: String, $visibility: Visibility!)',
	'createMailingList(name: $name, description: $description, visibility: $visibility): MailingList',
);

export const updateList = mutation(
	writing,
	'UpdateList($id: Int!, $input: MailingListInput!)',
	'updateMailingList(id: $id, input: $input): MailingList',
);

export const deleteList = mutation(writing, 'DeleteList($id: Int!)', 'deleteMailingList(id: $id): MailingList');

/** First mails of threads, newest thread first. */
export const listThreads = query(
	{ area: 'lists', scope: 'emails:read', isLossy: true } as const,
	['Threads($owner: String!, $name: String!, $cursor: Cursor)', ...inList, 'threads(cursor: $cursor): ThreadCursor'],
	pageOf('Thread', `root { # Email\n${mailFields} }`),
	cursorPage(threadRoot),
	droppableOfMail,
);

const subscribing = { area: 'lists', scope: 'subs:write' } as const;
const subscribed = { area: 'lists', scope: 'subs:read' } as const;

/** The account's subscriptions. Omits all lists if one of them is hidden (docs/protocol.md#graphql-subscriptions). */
export const listSubscriptions = query(
	subscribed,
	['Subscriptions($cursor: Cursor)', 'subscriptions(cursor: $cursor): ActivitySubscriptionCursor'],
	pageOf(
		'ActivitySubscription',
		`id
		created
		... on MailingListSubscription { list ${shortListFields} }`,
	),
	cursorPage(numberedSubscription),
	[{ type: 'MailingListSubscription', field: 'list' }],
);

/** A user's lists with the account's subscriptions. */
export const listSubscribed = query(
	subscribed,
	[
		'SubscribedLists($owner: String!, $cursor: Cursor)',
		'user(username: $owner): User',
		'lists(cursor: $cursor): MailingListCursor',
	],
	pageOf('MailingList', subscribedFields),
	cursorPage(listWithSubscription),
);

/** The account's subscription to one list. */
export const readSubscribed = query(
	subscribed,
	['SubscribedList($owner: String!, $name: String!)', ...inList],
	subscribedFields,
	listWithSubscription,
);

export const subscribeToList = mutation(
	subscribing,
	'Subscribe($id: Int!)',
	'mailingListSubscribe(listID: $id): MailingListSubscription',
);

export const unsubscribeFromList = mutation(
	subscribing,
	'Unsubscribe($id: Int!)',
	'mailingListUnsubscribe(listID: $id): MailingListSubscription',
);
