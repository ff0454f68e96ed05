import assert from 'node:assert/strict';
import { isForgeError } from '../../src/port/forgeError.ts';
import { pathOf } from '../../src/rest/endpoint.ts';
import { trackerEndpoints } from '../../src/rest/endpoints.ts';

suite('names of only dots', () => {
	test('are rejected with their own reason, so that the message can explain it', () => {
		for (const name of ['.', '..']) {
			assert.throws(
				() => pathOf(trackerEndpoints.tracker, { params: { 'tracker-name': name } }, '~alice'),
				(error) =>
					isForgeError(error) && error.problem.kind === 'invalid' && error.problem.errors[0]?.own === 'nameIsDots',
				name,
			);
		}
	});
});
