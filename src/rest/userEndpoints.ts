import { one } from './answers.ts';
import { rowsOf } from './endpoint.ts';
import { user } from './wire/user.ts';

/** The user resource, which each area serves for itself: first row of forge-api.md 4.1, 4.2 and 4.3. */
export const userEndpoints = {
	lists: rowsOf('lists')('GET /api/user/:username', '/api/user', null, one(user)),
	git: rowsOf('git')('GET /api/user/:username', '/api/user', null, one(user)),
	todo: rowsOf('todo')('GET /api/user/:username', '/api/user', null, one(user)),
};
