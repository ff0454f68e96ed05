import { listBy, listOf, nothing, one } from './answers.ts';
import { actsForNobody, isImplied, rowsOf } from './endpoint.ts';
import { email, shortEmail, threadMail } from './wire/email.ts';
import { mailingList, subscription } from './wire/list.ts';
import { patchset } from './wire/patchset.ts';

const row = rowsOf('lists');

/** The contract lacks the implied form of the patchset routes, so the client uses the explicit one. */
const explicitOnly = { because: 'the contract does not show the path; the explicit form is sure to be there' };
/** The contract states patches:read, but servers require patches:write (docs/protocol.md#patchset-updates). */
const asksFor = { scope: 'patches:write', because: 'servers refuse the update with patches:read' } as const;

/** Mailing-list area (docs/protocol.md#endpoints). */
// oxfmt-ignore
export const listEndpoints = {
	emails: row('GET /api/user/:username/emails', '/api/emails', 'emails:read', listOf(shortEmail, 'mail')),
	email: row('GET /api/emails/:email-id', actsForNobody, 'emails:read', one(email, 'mail')),
	emailOfUser: row('GET /api/user/:username/emails/:email-id', { none: 'stands as a row of its own' }, 'emails:read', one(email, 'mail')),
	thread: row('GET /api/thread/:email-id', actsForNobody, 'emails:read', listBy(threadMail, 'mail')),
	threadOfUser: row('GET /api/user/:username/thread/:email-id', { none: 'stands as a row of its own' }, 'emails:read', listBy(threadMail, 'mail')),
	lists: row('GET /api/user/:username/lists', '/api/lists', 'lists:read', listOf(mailingList)),
	create: row('POST /api/lists', isImplied, 'lists:write', one(mailingList)),
	list: row('GET /api/user/:username/lists/:list-name', '/api/lists/:list-name', 'lists:read', one(mailingList)),
	update: row('PUT /api/lists/:list-name', isImplied, 'lists:write', one(mailingList)),
	posts: row('GET /api/user/:username/lists/:list-name/posts', '/api/lists/:list-name/posts', 'lists:read', listOf(shortEmail, 'mail')),
	patchsets: { ...row('GET /api/user/:username/lists/:list-name/patchsets', '/api/lists/:list-name/patchsets', 'patches:read', listOf(patchset)), explicitOnly },
	patchset: { ...row('GET /api/user/:username/lists/:list-name/patchsets/:id', '/api/lists/:list-name/patchsets/:id', 'patches:read', one(patchset)), explicitOnly },
	updatePatchset: { ...row('PUT /api/user/:username/lists/:list-name/patchsets/:id', '/api/lists/:list-name/patchsets/:id', 'patches:read', one(patchset)), explicitOnly, asksFor },
	patches: { ...row('GET /api/user/:username/lists/:list-name/patchsets/:id/patches', '/api/lists/:list-name/patchsets/:id/patches', 'patches:read', listOf(email, 'mail')), explicitOnly },
	subscriptions: row('GET /api/subscriptions', isImplied, 'subs:read', listOf(subscription)),
	subscribe: row('POST /api/subscriptions', isImplied, 'subs:write', one(subscription)),
	subscription: row('GET /api/subscriptions/:sub-id', isImplied, 'subs:read', one(subscription)),
	unsubscribe: row('DELETE /api/subscriptions/:sub-id', isImplied, 'subs:write', nothing),
} as const;
