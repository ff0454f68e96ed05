import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalList } from '../../src/local/localList.ts';
import { generatedMails, mailboxOfMails } from '../../../../test/support/generatedMails.ts';
import { found, localPlace, mail, mbox, never, refreshed } from '../../../../test/support/localMailbox.ts';

const diff = `---
diff --git a/src/forge/forge.ts b/src/forge/forge.ts
index 0123456789ab..ba9876543210 100644
--- a/src/forge/forge.ts
+++ b/src/forge/forge.ts
@@ -1,2 +1,2 @@ function lockUp()
-old line
+new line
 same ground
`;

suite('search and threads of a mailbox', function () {
	this.timeout(60_000);
	let place: ReturnType<typeof localPlace>;
	let list: LocalList;
	suiteSetup(async () => {
		place = localPlace();
		const path = join(place.folder, 'mails.mbox');
		writeFileSync(
			path,
			mbox(
				mail('cover', { Subject: '[PATCH v3 0/1] Close the doors', To: 'list@x', Cc: 'Bob <bob@example.org>' }),
				mail(
					'patch',
					{ Subject: '[PATCH v3 1/1] doors: lock them', 'In-Reply-To': '<cover@x>' },
					`Crashes happen on one old day.\n\nchange-id: 20260501-doors-a1b2\n${diff}-- \n2.39.5 afterwards\n`,
				),
				mail(
					'reply',
					{
						From: '=?utf-8?q?=C3=89lo=C3=AFse?= <eloise@example.org>',
						Subject: 'Re: [PATCH v3 1/1] doors: lock them',
						References: '<cover@x> <patch@x>',
					},
					'> Crashes happen.\n\nThey do.\n',
				),
				mail('rfc', { Subject: 'RFC windows', 'List-Id': 'Doors <doors.example.org>' }, '+new line of no diff\n'),
				mail(
					'attached',
					{ 'Content-Type': 'multipart/mixed; boundary=b', Subject: 'trace' },
					'--b\n\nSee.\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=trace.txt\n\nx\n--b--\n',
				),
				mail('a/b%"', { Subject: 'odd id', To: 'Bob <bob@example.org>' }, 'lock\n'),
			),
		);
		list = await place.read(path);
	});
	suiteTeardown(() => place.remove());

	for (const [query, ids] of [
		['', ['a/b%"', 'attached', 'rfc', 'reply', 'patch', 'cover']],
		['(s:patch OR s:rfc) AND NOT s:re:', ['rfc', 'patch', 'cover']],
		['s:"close the doors"', ['cover']],
		['s:"v3 0/1"', ['cover']],
		['f:eloise', ['reply']],
		['f:ÉLOÏSE', ['reply']],
		['a:bob', ['a/b%"', 'cover']],
		['t:bob', ['a/b%"']],
		['c:bob', ['cover']],
		['tc:bob NOT c:bob', ['a/b%"']],
		['nq:crashes', ['patch']],
		['q:crashes', ['reply']],
		['b:crashes', ['reply', 'patch']],
		['dfn:src/forge/forge.ts', ['patch']],
		['dfn:forge.ts', ['patch']],
		['dfn:other.ts', []],
		['dfa:old', ['patch']],
		['dfa:new', []],
		['dfb:"new line"', ['patch']],
		['dfb:ground', []],
		['dfctx:"same ground"', ['patch']],
		['dfctx:afterwards', []],
		['dfhh:lockUp', ['patch']],
		['nq:lockUp nq:"new line" nq:"same ground" nq:"one old day" nq:afterwards', ['patch']],
		['"old line" AND b:"new line"', ['patch']],
		['l:doors.example.org', ['rfc']],
		['n:trace.txt', ['attached']],
		['dfpre:0123456', ['patch']],
		['dfpre:012345', []],
		['dfpre:ba98765', []],
		['dfpost:ba98765', ['patch']],
		['dfblob:ba9876543210ffffffffffffffffffffffffffff', ['patch']],
		['change-id:20260501-doors-a1b2', ['patch']],
		['nq:"change-id:20260501-doors-a1b2"', ['patch']],
		['m:cover@x', ['cover']],
		['m:<a/b%"@x>', []],
		['m:c*', ['cover']],
		['NOT lock', ['attached', 'rfc', 'cover']],
		['lock OR m:rfc@x', ['a/b%"', 'rfc', 'reply', 'patch']],
		['d:20260501 crashes', ['reply', 'patch']],
		['d:..20260430', []],
		['rt:0..1', []],
		['z:0..1', []],
		['z:..1000000 s:cover', []],
		['z:1.. AND s:doors AND NOT s:re:', ['patch', 'cover']],
		['z:0.. AND s:doors AND NOT s:re:', ['patch', 'cover']],
		['NOT (d:20260501.. OR lock)', []],
		['"; DROP TABLE mails; --', []],
		["s:x' OR 7=7", []],
		['NEAR(lock doors)', []],
		['s:"AND"', []],
		[`lock${' -zzz'.repeat(150)}`, ['a/b%"', 'reply', 'patch']],
		[`${'(a OR NOT '.repeat(49)}lock`, ['attached', 'rfc', 'patch', 'cover']],
	] as const) {
		test(`finds ${query === '' ? 'everything' : query.slice(0, 60)}`, async () => {
			assert.deepEqual(
				await found(list, query),
				ids.map((id) => `${id}@x`),
			);
		});
	}

	test('finds the patch by its stable id', async () => {
		const { patchId } = await import('patchmail/patch/patchId.ts');
		assert.deepEqual(await found(list, `patchid:${patchId(diff)}`), ['patch@x']);
	});

	test('gives rows with author, address, date and parent, a page at a time', async () => {
		const page = await list.search({ query: 'doors', from: 1, rows: 1 }, never);
		assert.deepEqual([page.from, page.to, page.total, page.isEstimate, page.rows.length], [1, 2, 3, false, 1]);
		const behind = await list.search({ query: 'doors', from: 7, rows: 1 }, never);
		assert.deepEqual([behind.total, behind.rows.length], [3, 0]);
		const [{ rows }] = [await list.search({ query: 'f:eloise', from: 0, rows: 5 }, never)];
		assert.deepEqual(
			rows.map(({ messageId, author, address, parentId }) => ({ messageId, author, address, parentId })),
			[{ messageId: '<reply@x>', author: 'Éloïse', address: 'eloise@example.org', parentId: '<patch@x>' }],
		);
	});

	test('gives the whole thread by the id of any of its mails', async () => {
		for (const id of ['<cover@x>', '<patch@x>', '<reply@x>']) {
			const mails = await list.rowsOfThread(id, never);
			assert.deepEqual(
				mails.map(({ messageId }) => messageId),
				['<cover@x>', '<patch@x>', '<reply@x>'],
			);
		}
		assert.deepEqual(await list.rowsOfThread('<nobody@x>', never), []);
	});

	test('joins threads in any order of arrival, also through mails that are missing', async () => {
		const other = localPlace();
		const mails = [
			mail('r2', { 'In-Reply-To': '<ghost@x>' }),
			mail('r1', { 'In-Reply-To': '<ghost@x>' }),
			mail('both', { References: '<r1@x> <v2@x>' }),
			mail('v2'),
			mail('alone'),
		];
		// Two threads that one mail joins later.
		const isBoth = (each: Buffer): boolean => each.includes('<r1@x> <v2@x>');
		const later = [...mails.filter((each) => !isBoth(each)), ...mails.filter(isBoth)];
		for (const [at, order] of [mails, mails.toReversed(), later].entries()) {
			const path = join(other.folder, `${at}.mbox`);
			writeFileSync(path, '');
			const each = localPlace();
			const made = await each.read(path);
			for (const arrived of order) {
				appendFileSync(path, mbox(arrived));
				await refreshed(made);
			}
			assert.equal((await made.rowsOfThread('<ghost@x>', never)).length, 4);
			assert.equal((await made.rowsOfThread('<v2@x>', never)).length, 4);
			assert.equal((await made.rowsOfThread('<alone@x>', never)).length, 1);
			await each.remove();
		}
		await other.remove();
	});

	test('finds the threads that a generator made', async () => {
		const other = localPlace();
		const mails = [...generatedMails(400, 7)];
		const path = join(other.folder, 'mails.mbox');
		// Lists deliver late and in any order.
		const mixed = mails.toSorted((one, two) => (one.messageId < two.messageId ? -1 : 1));
		writeFileSync(path, mailboxOfMails(mixed));
		const made = await other.read(path);
		for (const [root, members] of Map.groupBy(mails, (each) => each.root)) {
			const thread = await made.rowsOfThread(root, never);
			assert.deepEqual(
				thread.map(({ messageId }) => messageId),
				members.map(({ messageId }) => messageId),
			);
		}
		assert.equal(await refreshed(made), 0);
		await other.remove();
	});
});
