import assert from 'node:assert/strict';
import type { Problem } from '../../src/port/forgeError.ts';
import { problemOf } from '../../src/rest/problems.ts';

function missing(asWritten: string): Problem {
	const reason = `Insufficient permissions (needs ${asWritten})`;
	const answer = {
		status: 403,
		contentType: 'application/json',
		location: undefined,
		retryAfterMs: undefined,
		body: new TextEncoder().encode(JSON.stringify({ errors: [{ reason }] })),
	};
	const context = { area: 'todo', origin: 'https://todo.forge.example', nowMs: 0, scopeNames: {} } as const;
	return problemOf(answer, context).problem;
}

suite('missing permission in an error', () => {
	test('means read access if the server omits the access', () => {
		assert.deepEqual(missing('todo.forge.example/tickets'), {
			kind: 'missingScope',
			scope: 'tickets:read',
			asWritten: 'todo.forge.example/tickets',
		});
		assert.deepEqual(missing('tickets:write'), {
			kind: 'missingScope',
			scope: 'tickets:write',
			asWritten: 'tickets:write',
		});
	});
});
