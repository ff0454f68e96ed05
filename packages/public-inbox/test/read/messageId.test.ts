import assert from 'node:assert/strict';
import { bracketed, idInPath, typedMessageId } from 'public-inbox/read/messageId.ts';

suite('Message-IDs of archives', () => {
	test('are read as people write them', () => {
		for (const text of [
			'a/b%c"@x.example',
			' <a/b%c"@x.example> ',
			'mid:a/b%c"@x.example',
			'Message-ID: <a/b%c"@x.example>',
			'MID:\t<a/b%c"@x.example>\n',
		]) {
			assert.equal(typedMessageId(text), '<a/b%c"@x.example>', text);
		}
		assert.equal(typedMessageId('xmid:a@b'), '<xmid:a@b>');
	});

	test('other texts are none', () => {
		const longest = `${'a'.repeat(242)}@b`;
		assert.equal(typedMessageId(longest), `<${longest}>`);
		for (const text of [
			`a${longest}`,
			'x mid:a@b',
			'x<a@b>',
			'<a@b>x',
			'<<a@b>>',
			'a@b\0c',
			'a\x7F@b',
			'',
			'a',
			'@',
			'a@',
			'<>',
			'a b@c',
			'a@b\nX: y',
			'a@b>c',
			`${'a'.repeat(250)}@b`,
		]) {
			assert.equal(typedMessageId(text), undefined, text);
		}
	});

	test('keep no sign of their own in a path', () => {
		assert.equal(idInPath('<a/b%c"?#\'*@x>'), 'a%2Fb%25c%22%3F%23%27%2A%40x');
		assert.equal(decodeURIComponent(idInPath('<a/b%c"?#\'*@x>')), 'a/b%c"?#\'*@x');
		assert.equal(idInPath('(a!)@x'), '%28a%21%29%40x');
	});

	test('have one pair of brackets, and any others are their own', () => {
		const cases: readonly (readonly [string, string])[] = [
			['a@x', '<a@x>'],
			['<a@x>', '<a@x>'],
			['b<a@x>', '<b<a@x>>'],
			['<a@x>b', '<<a@x>b>'],
			['<a\n@x>', '<a\n@x>'],
		];
		for (const [bare, expected] of cases) {
			assert.equal(bracketed(bare), expected);
			assert.equal(decodeURIComponent(idInPath(expected)), expected.slice(1, -1));
			assert.equal(decodeURIComponent(idInPath(bare)), expected.slice(1, -1));
		}
	});
});
