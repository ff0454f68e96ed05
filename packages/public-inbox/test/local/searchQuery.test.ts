import assert from 'node:assert/strict';
import { localPrefixes, parseQuery, type SearchNode } from '../../src/local/searchQuery.ts';

const own = 'unquoted+removed+added+context+hunkHeads';
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
			return `${node.parts.length === 10 ? '' : `${node.parts.join('+')}:`}${node.text}${node.isPrefix ? '*' : ''}`;
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
		['nq:"change-id:20-x"', `${own}:change id 20 x`],
		['change-id:20-x', 'changeIds:20 x'],
		['*** " "', ''],
		['é:x', 'é x'],
		['d:20260501..20260510', 'sent 2026-05-01T00:00:00..2026-05-10T23:59:59'],
		['d:2026-05-01..', 'sent 2026-05-01T00:00:00..'],
		['d:..yesterday', 'sent ..2026-05-19T23:59:59'],
		['d:20260501', 'sent 2026-05-01T00:00:00..2026-05-01T23:59:59'],
		['dfa:old', 'removed:old'],
		['dfb:fresh dfctx:same dfhh:run', '(added:fresh & context:same & hunkHeads:run)'],
		['n:log.txt l:devel.example.org', '(attachments:log txt & lists:devel example org)'],
		['d:2.days.ago', 'sent 2026-05-18T00:00:00..2026-05-18T23:59:59'],
		['d:last.week..', 'sent 2026-05-13T12:00:00..'],
		['d:2.days.ago..now', 'sent 2026-05-18T12:00:00..2026-05-20T12:00:00'],
		['dt:20260501123000..', 'sent 2026-05-01T12:30:00..'],
		['rt:0..1000000000', 'received 1970-01-01T00:00:00..2001-09-09T01:46:40'],
		['z:0.. AND NOT s:re:', `(size 0..${Number.MAX_SAFE_INTEGER} & !subject:re)`],
		['z:..5000', 'size 0..5000'],
		['z:..', 'z'],
		['d:', ''],
		['d:someday', 'd someday'],
		['xz:1..2', 'xz 1 2'],
		['z:1..2x', 'z 1 2x'],
		['s:20260501', 'subject:20260501'],
		['"cover*"', 'cover'],
		['ab* abc*', '(ab & abc*)'],
		['a--b', 'a b'],
		['1s:foo', '1s foo'],
		['nosuch:', 'nosuch'],
		['S:Foo', 'subject:Foo'],
		['s:"" s:', ''],
		['m:a<b>', '<a<b>>'],
		['m:<half', '<half>'],
		['m:<> m:', ''],
		['m:"a*"', '<a*>'],
		['m:*', '<*'],
		['one NOT', 'one'],
		['b NOT OR a', '(b | a)'],
		['d (b NOT) OR a', '((d & b) | a)'],
		['((a) OR b) c', '((a | b) & c)'],
		['a AND AND ) b', '(a & b)'],
		['NOT (a OR b) -"c d"', '(!(a | b) & !c d)'],
		['--a - +', 'a'],
		['q:a t:b c:c b:d bs:e', `(quoted:a & to:b & cc:c & ${own}+quoted:d & subject+${own}+quoted:e)`],
		['dfpre:a dfpost:b dfblob:c patchid:d', '(oldBlobs:a & newBlobs:b & oldBlobs+newBlobs:c & patchIds:d)'],
	] as const) {
		test(`reads ${query === '' ? 'nothing' : query}`, () => {
			assert.equal(shown(parseQuery(query, nowMs)), meaning);
		});
	}

	test('searches everywhere without a prefix', () => {
		const node = parseQuery('word', nowMs);
		const parts = ['subject', 'from', 'to', 'cc', 'unquoted', 'removed', 'added', 'context', 'hunkHeads', 'quoted'];
		assert.deepEqual(node, { kind: 'words', parts, text: 'word', isPrefix: false });
	});

	test('understands and describes each prefix on offer', () => {
		const names =
			's f t c tc a b bs nq q n l dfn dfa dfb dfctx dfhh dfpre dfpost dfblob patchid change-id m mid d dt rt z';
		assert.equal(localPrefixes.map(({ name }) => name).join(' '), names);
		for (const { name, text } of localPrefixes) {
			assert.match(text, /^[a-zA-Z]/);
			assert.equal(parseQuery(`${name}:`, nowMs), undefined, name);
		}
	});

	test('opens no more than 15 brackets in each other', () => {
		assert.equal(shown(parseQuery(`${'('.repeat(14)}c (a OR b)`, nowMs)), '(c & (a | b))');
		assert.equal(shown(parseQuery(`${'('.repeat(15)}c (a OR b)`, nowMs)), '((c & a) | b)');
	});

	test('cuts off a longer search', () => {
		assert.equal(shown(parseQuery('x'.repeat(9000), nowMs)), 'x'.repeat(8000));
	});

	test('reads deep and long searches of a stranger in bounded time', () => {
		assert.equal(shown(parseQuery('('.repeat(4000), nowMs)), '');
		assert.ok(shown(parseQuery('a OR '.repeat(4000), nowMs)).length < 2000);
		assert.equal(shown(parseQuery(`${'NOT '.repeat(399)}one`, nowMs)), '!one');
	});
});
