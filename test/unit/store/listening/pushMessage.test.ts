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

suite('answers to pushes', () => {
	test('tickets are told by their addresses, each once, in the order in which commits name them', () => {
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

	test('a mere number, another forge and what was deleted name no ticket, and the line is left out', () => {
		const said = push({
			'refs/heads/main': 'See #3 and https://elsewhere.example/~bob/lantern/3',
			'refs/heads/old': undefined,
		});
		assert.equal(answer('Tickets: ${tickets}\nThank you, ${pusher}!', said), 'Thank you, ~bob!');
		// An empty answer would be printed as a blank line.
		assert.equal(answer('Tickets: ${tickets}', said), 'No tickets named in this push.');
		assert.equal(answer('', said), '');
	});

	test('a line stays as long as one of its placeholders stands for something', () => {
		const said = push({ 'refs/heads/main': 'Mend', 'refs/tags/v1': 'Mend', 'refs/notes/x': undefined });
		assert.equal(
			answer('${repository} got ${references} ${tickets}\nplain ${unknown}', said),
			'~alice/lamp got main, v1, refs/notes/x \nplain ${unknown}',
		);
	});

	test('what a push says is put in as it is, and is no template itself', () => {
		assert.equal(answer('${references}', push({ 'refs/heads/${pusher}$&': 'x' })), '${pusher}$&');
	});

	test('hidden characters of a push are written out', () => {
		const name = 'refs/heads/a\u202Eb\u{E0041}\uFE0F\u200F';
		assert.equal(answer('\u200F${pusher}', push({ [name]: 'x' })), '⟨U+200F⟩~bob');
		assert.equal(answer('${references}', push({ [name]: 'x' })), 'a⟨U+202E⟩b⟨U+E0041⟩⟨U+FE0F⟩⟨U+200F⟩');
	});

	test('of many tickets ten are told', () => {
		const numbers = Array.from({ length: 40 }, (_, at) => `~a/b#${at + 1}`);
		assert.equal(answer('${tickets}', push({ x: numbers.join(' ') })).split(', ').length, 10);
	});
});
