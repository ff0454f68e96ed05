import assert from 'node:assert/strict';
import type { Ask, Protocol } from '../../../src/pages/protocol/pageProtocol.ts';
import { HostLink } from '../../../src/pages/hostLink.ts';

interface Names extends Protocol {
	readonly requests: { readonly name: { readonly in: number; readonly out: string } };
	readonly news: Readonly<Record<string, never>>;
}

suite('responses of the host', () => {
	test('settle their own request in any order, and no other', async () => {
		const asked: Ask[] = [];
		const link = new HostLink<Names>((ask) => void asked.push(ask));
		const [first, second] = [link.ask('name', 1), link.ask('name', 2)];
		const [one, two] = asked;
		assert.ok(one && two);
		link.receive({ kind: 'answer', id: two.id + 1, value: 'for nobody' });
		link.receive({ kind: 'refusal', id: one.id - 1, message: 'of nobody' });
		link.receive({ kind: 'answer', id: two.id, value: 'two' });
		link.receive({ kind: 'answer', id: two.id, value: 'two again' });
		link.receive({ kind: 'answer', id: one.id, value: 'one' });
		assert.deepEqual(await Promise.all([first, second]), ['one', 'two']);
	});
});
