import { blob, line, nothing, one } from './answers.ts';
import { isImplied, rowsOf } from './endpoint.ts';
import { comment } from './wire/ticket.ts';
import { version } from './wire/version.ts';

const todo = rowsOf('todo');
const lists = rowsOf('lists');
const git = rowsOf('git');
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
