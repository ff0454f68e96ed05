import assert from 'node:assert/strict';
import * as v from 'valibot';
import { answer, handler, type Ask, type Protocol } from '../../../../src/pages/protocol/pageProtocol.ts';
import { HostLink } from '../../../../src/pages/hostLink.ts';

interface Sums extends Protocol {
	readonly requests: {
		readonly add: { readonly in: { readonly a: number; readonly b: number }; readonly out: number };
		readonly fail: { readonly in: null; readonly out: null };
	};
	readonly news: { readonly changed: number };
}

const handlers = {
	add: handler(v.strictObject({ a: v.number(), b: v.number() }), async ({ a, b }) => a + b),
	fail: handler(v.null(), () => Promise.reject(new Error('It failed.'))),
};
const describe = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

function connected(): HostLink<Sums> {
	const link = new HostLink<Sums>((ask) => void reply(link, ask));
	return link;
}

async function reply(link: HostLink<Sums>, ask: Ask): Promise<void> {
	const message = await answer(handlers, structuredClone(ask), describe);
	if (message) {
		link.receive(structuredClone(message));
	}
}

suite('channel', () => {
	test('a question gets its answer', async () => {
		const link = connected();
		assert.deepEqual(await Promise.all([link.ask('add', { a: 1, b: 2 }), link.ask('add', { a: 3, b: 4 })]), [3, 7]);
	});

	test('a failing handler rejects the question', async () => {
		await assert.rejects(connected().ask('fail', null), { message: 'It failed.' });
	});

	test('a value that does not fit its schema never reaches the handler', async () => {
		const message = await answer(handlers, { kind: 'ask', id: 1, name: 'add', value: { a: 1, b: '2' } }, describe);
		assert.equal(message?.kind, 'refusal');
	});

	test('rejects unknown names and names of the prototype', async () => {
		for (const name of ['other', 'toString', '__proto__', 'constructor']) {
			const message = await answer(handlers, { kind: 'ask', id: 1, name, value: null }, describe);
			assert.equal(message?.kind, 'refusal', name);
		}
	});

	test('a message that is not a question gets no response', async () => {
		for (const message of [
			undefined,
			null,
			1,
			'ask',
			[],
			{},
			{ kind: 'answer', id: 1 },
			{ kind: 'ask', id: 'x', name: 'add' },
		]) {
			assert.equal(await answer(handlers, message, describe), undefined);
		}
	});

	test('listeners receive news of their name until they stop', () => {
		const link = connected();
		const heard: number[] = [];
		const listening = link.on('changed', (value) => heard.push(value));
		link.receive({ kind: 'news', name: 'changed', value: 1 });
		link.receive({ kind: 'news', name: 'other', value: 2 });
		listening.dispose();
		link.receive({ kind: 'news', name: 'changed', value: 3 });
		assert.deepEqual(heard, [1]);
	});

	test('ignores an unexpected response', () => {
		connected().receive({ kind: 'answer', id: 99, value: 1 });
	});
});
