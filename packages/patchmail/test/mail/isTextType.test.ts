import assert from 'node:assert/strict';
import { isTextType } from '../../src/mail/isTextType.ts';

suite('attachment types', () => {
	test('count as text if people can read them', () => {
		for (const [type, isText] of [
			['text/plain', true],
			['Text/CSV; charset=utf-8; a=b', true],
			['text', false],
			['x-text/plain', false],
			[' application/JSON ;charset=utf-8\n;x', true],
			['application/mbox', true],
			['application/pgp-keys', true],
			['application/pgp-signature', true],
			['application/x-patch', true],
			['application/x-diff', true],
			['message/rfc822', true],
			['application/jsonx', false],
			['image/png;text/plain', false],
			['', false],
		] as const) {
			assert.equal(isTextType(type), isText, type);
		}
	});
});
