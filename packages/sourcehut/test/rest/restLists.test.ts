import assert from 'node:assert/strict';
import { isForgeError } from '../../src/port/forgeError.ts';
import { emailSegment, seriesOrder } from '../../src/rest/restForge.ts';
import { makeMail } from '../../../../test/support/makeMail.ts';

suite('series', () => {
	test('are sorted by patch number', () => {
		const patches = ['[PATCH proj v2 10/11] j', '[PATCH proj v2 2/11] b', '[PATCH proj v2 1/11] a [1/2]'];
		const ordered = seriesOrder(patches.map((subject, place) => makeMail({ id: place, subject })));
		assert.deepEqual(
			ordered.map(({ id }) => id),
			[2, 1, 0],
		);
	});

	test('without numbers keep the order of the server', () => {
		const patches = [makeMail({ id: 2, subject: '[PATCH] b' }), makeMail({ id: 1, subject: '[PATCH 1/2] a' })];
		assert.deepEqual(seriesOrder(patches), patches);
	});
});

suite('message identifiers', () => {
	test('are a number or a Message-ID in brackets', () => {
		assert.equal(emailSegment(12), '12');
		assert.equal(emailSegment({ messageId: '<a@forge.test>', list: undefined }), '<a@forge.test>');
		assert.equal(emailSegment({ messageId: 'a@forge.test', list: undefined }), '<a@forge.test>');
	});

	test('with a slash are rejected without a request', () => {
		assert.throws(
			() => emailSegment({ messageId: '<a/b@forge.test>', list: undefined }),
			(error) =>
				isForgeError(error) && error.problem.kind === 'invalid' && error.problem.errors[0]?.own === 'slashInMessageId',
		);
	});
});
