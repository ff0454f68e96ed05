import { one } from './answers.ts';
import { rowsOf } from './endpoint.ts';
import { user } from './wire/user.ts';

/** The user resource. Each area serves it separately (docs/protocol.md#endpoints). */
export const userEndpoints = {
	lists: rowsOf('lists')('GET /api/user/:username', '/api/user', null, one(user)),
	git: rowsOf('git')('GET /api/user/:username', '/api/user', null, one(user)),
	todo: rowsOf('todo')('GET /api/user/:username', '/api/user', null, one(user)),
};
