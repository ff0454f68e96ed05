import assert from 'node:assert/strict';
import type { PushSaid } from 'sourcehut/port/deliveryHint.ts';
import type { Commit } from 'sourcehut/port/repository.ts';
import { pushMessage } from '../../../../src/store/listening/listening.ts';

const repository = { owner: '~alice', name: 'lamp' };
const todoOrigin = 'https://todo.forge.example';

function commit(message: string): Commit {
	const person = { name: 'Alice', email: 'alice@forge.example' };
	const signer = { ...person, timestampMs: 0, offsetMinutes: 0 };
	return {
		id: '1'.repeat(40),
		shortId: '1111111',
		author: signer,
		committer: signer,
		timestampMs: 0,
		message,
		tree: '2'.repeat(40),
		parents: [],
		signature: undefined,
		extra: [],
	};
}

function push(messages: Readonly<Record<string, string | undefined>>): PushSaid {
	return {
		pushId: 'one',
		pusher: { canonicalName: '~bob', name: 'bob' },
		references: Object.entries(messages).map(([name, message]) => ({
			name,
			before: message === undefined ? commit('Begin') : undefined,
			after: message === undefined ? undefined : commit(message),
			annotatedTag: undefined,
		})),
	};
}

const answer = (template: string, said: PushSaid): string => pushMessage(template, repository, said, todoOrigin);

suite('push message', () => {
	test('lists the URLs of tickets once each, in commit order', () => {
		const said = push({
			'refs/heads/main':
				'Mend the lamp\n\nFixes: https://todo.forge.example/~carol/bugs/7\nSee ~bob/lantern#3, shed#4.',
			'refs/heads/next': 'See ~bob/lantern#3 again',
		});
		assert.equal(
			answer('Tickets: ${tickets}', said),
			`Tickets: ${['~carol/bugs/7', '~bob/lantern/3', '~alice/shed/4'].map((each) => `${todoOrigin}/${each}`).join(', ')}`,
		);
	});

	test('ignores bare numbers, other forges and deleted references, and omits a line without tickets', () => {
		const said = push({
			'refs/heads/main': 'See #3 and https://elsewhere.example/~bob/lantern/3',
			'refs/heads/old': undefined,
		});
		assert.equal(answer('Tickets: ${tickets}\nThank you, ${pusher}!', said), 'Thank you, ~bob!');
		// An empty response would print a blank line.
		assert.equal(answer('Tickets: ${tickets}', said), 'No tickets named in this push.');
		assert.equal(answer('', said), '');
	});

	test('keeps a line if one of its placeholders has a value', () => {
		const said = push({ 'refs/heads/main': 'Mend', 'refs/tags/v1': 'Mend', 'refs/notes/x': undefined });
		assert.equal(
			answer('${repository} got ${references} ${tickets}\nplain ${unknown}', said),
			'~alice/lamp got main, v1, refs/notes/x \nplain ${unknown}',
		);
	});

	test('inserts values literally, without expanding them again', () => {
		assert.equal(answer('${references}', push({ 'refs/heads/${pusher}$&': 'x' })), '${pusher}$&');
	});

	test('escapes hidden characters of a push', () => {
		const name = 'refs/heads/a\u202Eb\u{E0041}\uFE0F\u200F';
		assert.equal(answer('\u200F${pusher}', push({ [name]: 'x' })), '⟨U+200F⟩~bob');
		assert.equal(answer('${references}', push({ [name]: 'x' })), 'a⟨U+202E⟩b⟨U+E0041⟩⟨U+FE0F⟩⟨U+200F⟩');
	});

	test('lists at most ten tickets', () => {
		const numbers = Array.from({ length: 40 }, (_, at) => `~a/b#${at + 1}`);
		assert.equal(answer('${tickets}', push({ x: numbers.join(' ') })).split(', ').length, 10);
	});
});
