import assert from 'node:assert/strict';
import { format, inspect } from 'node:util';
import { readPastedToken, Token } from '../../src/identity/token.ts';
import { SignInError, serverWords } from '../../src/identity/signInError.ts';
import { makeSession } from '../../../../test/support/makeSession.ts';

const secret = '0123456789abcdef0123456789abcdef';

suite('tokens', () => {
	test('a token never appears in printed, logged or serialized text', () => {
		const token = new Token(secret);
		const session = makeSession({ token });
		const shown = [
			String(token),
			token.toString(),
			JSON.stringify({ token, session }),
			inspect(token),
			inspect({ deep: { session } }, { depth: 9, showHidden: true }),
			format('%s %o %O %j', token, token, session, session),
			Object.values(token).join(),
			inspect(new Error('failed', { cause: session })),
		];
		for (const text of shown) {
			assert.ok(!text.includes(secret), text);
		}
		assert.ok(shown.slice(0, 5).every((text) => text.includes('[token]')));
		assert.equal(token.reveal(), secret);
	});

	test('a pasted token loses spaces and prefixes that users often copy with it', () => {
		for (const text of [secret, ` ${secret}\n`, `Bearer ${secret}`, `token ${secret}`]) {
			const read = readPastedToken(text);
			assert.equal(read instanceof Token && read.reveal(), secret);
		}
	});

	test('a pasted text that is no token has one reason', () => {
		for (const [text, fault] of [
			['', 'tooShort'],
			['abcdefg', 'tooShort'],
			['two words here', 'spaces'],
			[`${secret}\n${secret}`, 'spaces'],
			['tökenwithumlaut', 'characters'],
			['x'.repeat(5000), 'tooLong'],
		]) {
			assert.equal(readPastedToken(text ?? ''), fault, text);
		}
	});
});

suite('texts of a server', () => {
	test('lose markup that a notification would interpret', () => {
		assert.equal(
			serverWords('[x](command:workbench.action.quit) <samp>bad</samp>\u202e\n\u0007scope'),
			'(x)(command:workbench.action.quit) bad scope',
		);
		assert.equal(serverWords('x'.repeat(500)).length, 200);
	});

	test('never appear in the message of a failed sign-in', () => {
		const error = new SignInError({ kind: 'refused', serverSays: secret });
		assert.ok(!error.message.includes(secret));
	});
});
