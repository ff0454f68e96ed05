import { listOf, nothing, one, oneOrNothing, listBy, blob, line } from './answers.ts';
import { isImplied, rowsOf, actsForNobody } from './endpoint.ts';
import { ticket, comment, ticketEvent, ticketUpdate, label, tracker } from './wire/tracker.ts';
import { email, shortEmail, threadMail, mailingList, subscription, patchset } from './wire/list.ts';
import { commit, tree as treeSchema, reference, repository } from './wire/repository.ts';
import { version } from './wire/user.ts';

const todo = rowsOf('todo');
const lists = rowsOf('lists');
const git = rowsOf('git');

/** Ticket-tracker area (docs/protocol.md#endpoints). */
// oxfmt-ignore
export const trackerEndpoints = {
	trackers: todo('GET /api/user/:username/trackers', '/api/trackers', 'trackers:read', listOf(tracker)),
	create: todo('POST /api/trackers', isImplied, 'trackers:write', one(tracker)),
	tracker: todo('GET /api/user/:username/trackers/:tracker-name', '/api/trackers/:tracker-name', 'trackers:read', one(tracker)),
	update: todo('PUT /api/user/:username/trackers/:tracker-name', '/api/trackers/:tracker-name', 'trackers:write', oneOrNothing(tracker)),
	remove: todo('DELETE /api/trackers/:tracker-name', isImplied, 'trackers:write', nothing),
	labels: todo('GET /api/user/:username/trackers/:tracker-name/labels', '/api/trackers/:tracker-name/labels', 'trackers:read', listOf(label)),
	tickets: todo('GET /api/user/:username/trackers/:tracker-name/tickets', '/api/trackers/:tracker-name/tickets', 'tickets:read', listOf(ticket)),
	submit: todo('POST /api/user/:username/trackers/:tracker-name/tickets', '/api/trackers/:tracker-name/tickets', 'tickets:write', one(ticket)),
	ticket: todo('GET /api/user/:username/trackers/:tracker-name/tickets/:ticket-id', '/api/trackers/:tracker-name/tickets/:ticket-id', 'tickets:read', one(ticket)),
	updateTicket: todo('PUT /api/user/:username/trackers/:tracker-name/tickets/:ticket-id', '/api/trackers/:tracker-name/tickets/:ticket-id', 'tickets:write', one(ticketUpdate)),
	events: todo('GET /api/user/:username/trackers/:tracker-name/tickets/:ticket-id/events', '/api/trackers/:tracker-name/tickets/:ticket-id/events', 'tickets:read', listOf(ticketEvent)),
} as const;

/** The contract lacks the implied form of the patchset routes, so the client uses the explicit one. */
const explicitOnly = { because: 'the contract does not show the path; the explicit form is sure to be there' };
/** The contract states patches:read, but servers require patches:write (docs/protocol.md#patchset-updates). */
const asksFor = { scope: 'patches:write', because: 'servers refuse the update with patches:read' } as const;

/** Mailing-list area (docs/protocol.md#endpoints). */
// oxfmt-ignore
export const listEndpoints = {
	emails: lists('GET /api/user/:username/emails', '/api/emails', 'emails:read', listOf(shortEmail, 'mail')),
	email: lists('GET /api/emails/:email-id', actsForNobody, 'emails:read', one(email, 'mail')),
	emailOfUser: lists('GET /api/user/:username/emails/:email-id', { none: 'stands as a row of its own' }, 'emails:read', one(email, 'mail')),
	thread: lists('GET /api/thread/:email-id', actsForNobody, 'emails:read', listBy(threadMail, 'mail')),
	threadOfUser: lists('GET /api/user/:username/thread/:email-id', { none: 'stands as a row of its own' }, 'emails:read', listBy(threadMail, 'mail')),
	lists: lists('GET /api/user/:username/lists', '/api/lists', 'lists:read', listOf(mailingList)),
	create: lists('POST /api/lists', isImplied, 'lists:write', one(mailingList)),
	list: lists('GET /api/user/:username/lists/:list-name', '/api/lists/:list-name', 'lists:read', one(mailingList)),
	update: lists('PUT /api/lists/:list-name', isImplied, 'lists:write', one(mailingList)),
	posts: lists('GET /api/user/:username/lists/:list-name/posts', '/api/lists/:list-name/posts', 'lists:read', listOf(shortEmail, 'mail')),
	patchsets: { ...lists('GET /api/user/:username/lists/:list-name/patchsets', '/api/lists/:list-name/patchsets', 'patches:read', listOf(patchset)), explicitOnly },
	patchset: { ...lists('GET /api/user/:username/lists/:list-name/patchsets/:id', '/api/lists/:list-name/patchsets/:id', 'patches:read', one(patchset)), explicitOnly },
	updatePatchset: { ...lists('PUT /api/user/:username/lists/:list-name/patchsets/:id', '/api/lists/:list-name/patchsets/:id', 'patches:read', one(patchset)), explicitOnly, asksFor },
	patches: { ...lists('GET /api/user/:username/lists/:list-name/patchsets/:id/patches', '/api/lists/:list-name/patchsets/:id/patches', 'patches:read', listOf(email, 'mail')), explicitOnly },
	subscriptions: lists('GET /api/subscriptions', isImplied, 'subs:read', listOf(subscription)),
	subscribe: lists('POST /api/subscriptions', isImplied, 'subs:write', one(subscription)),
	subscription: lists('GET /api/subscriptions/:sub-id', isImplied, 'subs:read', one(subscription)),
	unsubscribe: lists('DELETE /api/subscriptions/:sub-id', isImplied, 'subs:write', nothing),
} as const;

const tree = one(treeSchema, 'list');
const log = listOf(commit);

/** Repository area (docs/protocol.md#endpoints). */
// oxfmt-ignore
export const repositoryEndpoints = {
	repositories: git('GET /api/:username/repos', '/api/repos', 'info:read', listOf(repository)),
	create: git('POST /api/repos', isImplied, 'info:write', one(repository)),
	repository: git('GET /api/:username/repos/:name', '/api/repos/:name', 'info:read', one(repository)),
	update: git('PUT /api/repos/:name', isImplied, 'info:write', oneOrNothing(repository)),
	remove: git('DELETE /api/repos/:name', isImplied, 'info:write', nothing),
	references: git('GET /api/:username/repos/:name/refs', '/api/repos/:name/refs', 'data:read', listOf(reference)),
	log: git('GET /api/:username/repos/:name/log', '/api/repos/:name/log', 'data:read', log),
	logFrom: git('GET /api/:username/repos/:name/log/:ref*', '/api/repos/:name/log/:ref*', 'data:read', log),
	rootTree: git('GET /api/:username/repos/:name/tree', '/api/repos/:name/tree', 'data:read', tree),
	refTree: git('GET /api/:username/repos/:name/tree/:ref*', '/api/repos/:name/tree/:ref*', 'data:read', tree),
	pathTree: git('GET /api/:username/repos/:name/tree/:ref*/:path*', '/api/repos/:name/tree/:ref*/:path*', 'data:read', tree),
	pathBlob: git('GET /api/:username/repos/:name/blob/:ref*/:path*', '/api/repos/:name/blob/:ref*/:path*', 'data:read', blob),
	treeById: git('GET /api/:username/repos/:name/tree/:id', '/api/repos/:name/tree/:id', 'data:read', tree),
	blobById: git('GET /api/:username/repos/:name/blob/:id', '/api/repos/:name/blob/:id', 'data:read', blob),
} as const;

const noForm = { none: 'as observed' } as const;

/** Routes of real servers beyond the contract. Essential features must not need them. */
// oxfmt-ignore
export const observedEndpoints = {
	todoVersion: todo('GET /api/version', noForm, null, one(version)),
	gitVersion: git('GET /api/version', noForm, null, one(version)),
	listsVersion: lists('GET /api/version', noForm, null, one(version)),
	editComment: todo('PUT /api/user/:username/trackers/:tracker-name/tickets/:ticket-id/comments/:comment-id', '/api/trackers/:tracker-name/tickets/:ticket-id/comments/:comment-id', 'tickets:write', one(comment)),
	removeList: lists('DELETE /api/lists/:list-name', isImplied, 'lists:write', nothing),
	lookup: git('GET /api/:username/repos/:name/lookup/:rev', '/api/repos/:name/lookup/:rev', 'data:read', line),
	refdb: git('GET /api/:username/repos/:name/refdb/:refname*', '/api/repos/:name/refdb/:refname*', 'data:read', line),
	/** The explicit form of `blob/:id` in the servers' spelling (docs/protocol.md#files-by-id). */
	misspelledBlobById: git('GET /api/:username/blob/:name/blob/:id', noForm, 'data:read', blob),
} as const;
