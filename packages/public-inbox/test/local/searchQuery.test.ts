import assert from 'node:assert/strict';
import { parseQuery, type SearchNode } from '../../src/local/searchQuery.ts';

const nowMs = Date.UTC(2026, 4, 20, 12);

/** A search with its brackets written out. */
function shown(node: SearchNode | undefined): string {
	switch (node?.kind) {
		case undefined:
			return '';
		case 'all':
		case 'any':
			return `(${node.nodes.map(shown).join(node.kind === 'all' ? ' & ' : ' | ')})`;
		case 'not':
			return `!${shown(node.node)}`;
		case 'words':
			return `${node.parts.length === 6 ? '' : `${node.parts.join('+')}:`}${node.text}${node.isPrefix ? '*' : ''}`;
		case 'messageId':
			return `<${node.text}${node.isPrefix ? '*' : '>'}`;
		case 'size':
			return `size ${node.fromBytes}..${node.toBytes}`;
		case 'time':
			return `${node.of} ${[node.fromMs, node.toMs].map((ms) => (Math.abs(ms) > 8e15 ? '' : new Date(ms).toISOString().slice(0, 19))).join('..')}`;
	}
}

suite('search of a mailbox: its language', () => {
	for (const [query, meaning] of [
		['', ''],
		['one two', '(one & two)'],
		['one AND two OR three', '((one & two) | three)'],
		['(s:patch OR s:rfc) AND NOT s:re:', '((subject:patch | subject:rfc) & !subject:re)'],
		['NOT NOT one', 'one'],
		['-one +two', '(!one & two)'],
		['s:"Close the doors"', 'subject:Close the doors'],
		['s:"v3 0/4"', 'subject:v3 0 4'],
		['"never closed', 'never closed'],
		['((one', 'one'],
		['one) two', '(one & two)'],
		['OR AND', ''],
		['foo_bar', 'foo bar'],
		['nosuch:thing', 'nosuch thing'],
		['tc:bob a:bob', '(to+cc:bob & from+to+cc:bob)'],
		['dfn:src/forge.ts', 'paths:src forge ts'],
		['cover*', 'cover*'],
		['m:<a/b@c> mid:cover*', '(<a/b@c> & <cover*)'],
		['nq:"change-id:20-x"', 'unquoted:change id 20 x'],
		['change-id:20-x', 'changeIds:20 x'],
		['*** " "', ''],
		['é:x', 'é x'],
		['d:20260501..20260510', 'sent 2026-05-01T00:00:00..2026-05-10T23:59:59'],
		['d:2026-05-01..', 'sent 2026-05-01T00:00:00..'],
		['d:..yesterday', 'sent ..2026-05-19T23:59:59'],
		['d:20260501', 'sent 2026-05-01T00:00:00..2026-05-01T23:59:59'],
		['d:last.week..', 'sent 2026-05-13T12:00:00..'],
		['d:2.days.ago..now', 'sent 2026-05-18T12:00:00..2026-05-20T12:00:00'],
		['dt:20260501123000..', 'sent 2026-05-01T12:30:00..'],
		['rt:0..1000000000', 'received 1970-01-01T00:00:00..2001-09-09T01:46:40'],
		['z:0.. AND NOT s:re:', `(size 0..${Number.MAX_SAFE_INTEGER} & !subject:re)`],
		['z:..5000', 'size 0..5000'],
		['z:..', 'z'],
		['d:', ''],
		['d:someday', 'd someday'],
	] as const) {
		test(`reads ${query === '' ? 'nothing' : query}`, () => {
			assert.equal(shown(parseQuery(query, nowMs)), meaning);
		});
	}

	test('reads deep and long searches of a stranger in bounded time', () => {
		assert.equal(shown(parseQuery('('.repeat(4000), nowMs)), '');
		assert.ok(shown(parseQuery('a OR '.repeat(4000), nowMs)).length < 2000);
		assert.equal(shown(parseQuery(`${'NOT '.repeat(399)}one`, nowMs)), '!one');
	});
});
