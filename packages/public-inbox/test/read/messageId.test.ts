import assert from 'node:assert/strict';
import { idInPath, typedMessageId } from 'public-inbox/read/messageId.ts';

suite('Message-IDs of archives', () => {
	test('are read as people write them', () => {
		for (const text of [
			'a/b%c"@x.example',
			' <a/b%c"@x.example> ',
			'mid:a/b%c"@x.example',
			'Message-ID: <a/b%c"@x.example>',
		]) {
			assert.equal(typedMessageId(text), '<a/b%c"@x.example>', text);
		}
	});

	test('other texts are none', () => {
		for (const text of ['', 'a', '@', 'a@', '<>', 'a b@c', 'a@b\nX: y', 'a@b>c', `${'a'.repeat(250)}@b`]) {
			assert.equal(typedMessageId(text), undefined, text);
		}
	});

	test('keep no sign of their own in a path', () => {
		assert.equal(idInPath('<a/b%c"?#\'*@x>'), 'a%2Fb%25c%22%3F%23%27%2A%40x');
		assert.equal(decodeURIComponent(idInPath('<a/b%c"?#\'*@x>')), 'a/b%c"?#\'*@x');
	});
});
