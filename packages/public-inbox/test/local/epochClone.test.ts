import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { epochClone, type EpochPlace } from '../../src/local/epochClone.ts';
import { LocalList } from '../../src/local/localList.ts';
import { testMachine, type TestMachine } from '../../../../test/support/localMachine.ts';
import { generatedMails } from '../../../../test/support/generatedMails.ts';
import {
	epochServer,
	found,
	localPlace,
	mail,
	never,
	refreshed,
	textsOf,
	type Change,
} from '../../../../test/support/localMailbox.ts';

suite('a list as a clone of its archive', function () {
	this.timeout(120_000);
	let place: ReturnType<typeof localPlace>;
	let machine: TestMachine;
	let archive: ReturnType<typeof epochServer>;
	let bare: string;
	let epoch: EpochPlace;
	let list: LocalList;
	let fetches: number;

	const commit = (changes: readonly Change[]): void => archive.commit('0', changes);

	/** As public-inbox writes a removal: the next commit has no `m`. */
	const gone = (content: Buffer): Change => ['d', content];

	setup(() => {
		place = localPlace();
		machine = testMachine();
		archive = epochServer(machine);
		bare = join(archive.folder, '0');
		const { git } = archive;
		fetches = 0;
		const counted: typeof git = {
			run(command, ...rest) {
				fetches += command.kind === 'fetchEpoch' ? 1 : 0;
				return git.run(command, ...rest);
			},
			stream: (...all) => git.stream(...all),
		};
		const folder = join(place.folder, 'clone.git');
		const address = 'ssh://archive.test/list/0';
		epoch = { git: counted, folder, address, depth: undefined, mostMebibytes: 100, nowMs: () => Date.now() };
		list = new LocalList(epochClone(epoch), place.ask, place.file, Date.now);
	});
	teardown(async () => {
		await place.remove();
		machine.remove();
	});

	async function fetched(): Promise<number> {
		await epochClone(epoch).fetch(never);
		return await refreshed(list);
	}

	test('gives every mail byte by byte, and new ones after a fetch', async () => {
		const mails = [...generatedMails(250)];
		commit(mails.slice(0, 200).map(({ bytes }) => ['m', bytes]));
		assert.equal(await fetched(), 200);
		commit(mails.slice(200).map(({ bytes }) => ['m', bytes]));
		assert.equal(await refreshed(list), 0);
		assert.equal(await fetched(), 50);
		for (const { messageId, bytes } of mails) {
			assert.deepEqual(await textsOf(list, messageId), [bytes.toString('latin1')]);
		}
		assert.equal(fetches, 2);
	});

	test('forgets mails that the archive removed, and keeps one that came back', async () => {
		const [one, two, three] = [mail('one'), mail('two'), mail('three')];
		commit([['m', one], ['m', two], gone(one), ['m', three]]);
		await fetched();
		assert.deepEqual(await found(list, ''), ['three@x', 'two@x']);
		commit([gone(three), gone(two), ['m', two]]);
		await fetched();
		assert.deepEqual(await found(list, ''), ['two@x']);
		assert.deepEqual(await found(list, 'subject'), ['two@x']);
	});

	test('follows a rewritten history', async () => {
		const [one, two, three] = [mail('one'), mail('secret'), mail('three')];
		commit([
			['m', one],
			['m', two],
		]);
		await fetched();
		machine.plain(bare, 'update-ref', '-d', 'refs/heads/master');
		commit([
			['m', one],
			['m', three],
		]);
		await fetched();
		assert.deepEqual(await found(list, ''), ['three@x', 'one@x']);
		assert.deepEqual(await found(list, 'secret'), []);
	});

	test('reads all anew after a loss of the clone, and forgets mails that were removed meanwhile', async () => {
		commit([
			['m', mail('one')],
			['m', mail('secret')],
		]);
		await fetched();
		rmSync(epoch.folder, { recursive: true });
		machine.plain(bare, 'update-ref', '-d', 'refs/heads/master');
		machine.plain(bare, 'reflog', 'expire', '--expire=now', '--all');
		machine.plain(bare, 'prune', '--expire=now');
		commit([
			['m', mail('one')],
			['m', mail('two')],
		]);
		await fetched();
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
	});

	test('reads the first layout of archives, with a file for each mail', async () => {
		const name = (digit: string): string => `${digit.repeat(2)}/${digit.repeat(38)}`;
		const [one, two, edited] = [mail('one'), mail('two'), mail('two', {}, 'Edited.\n')];
		commit([
			[name('a'), one],
			[name('b'), two],
			['README', Buffer.from('From: no mail\n\nx\n')],
		]);
		await fetched();
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
		commit([
			[name('a'), undefined],
			[name('b'), edited],
		]);
		await fetched();
		assert.deepEqual(await textsOf(list, '<two@x>'), [edited.toString()]);
		assert.deepEqual(await found(list, ''), ['two@x']);
	});

	test('keeps the newest mails only, where its user wants that', async () => {
		commit(['one', 'two', 'three'].map((id) => ['m', mail(id)]));
		epoch = { ...epoch, depth: 2 };
		await fetched();
		assert.deepEqual(await found(list, ''), ['three@x', 'two@x']);
		commit([['m', mail('four')]]);
		await fetched();
		assert.deepEqual(await found(list, ''), ['four@x', 'three@x', 'two@x']);
	});

	test('refuses a larger archive, and addresses that git may misread', async () => {
		commit([['m', Buffer.concat([mail('large'), machineBytes(3_000_000)])]]);
		await assert.rejects(epochClone({ ...epoch, mostMebibytes: 1 }).fetch(never), { problem: { kind: 'tooMuch' } });
		for (const address of [
			'ext::sh -c x',
			'--upload-pack=x',
			'/etc',
			'file:///etc',
			'https://a:b@c.test/x',
			'http://c.test/x',
		]) {
			await assert.rejects(
				epochClone({ ...epoch, address }).fetch(never),
				{ problem: { kind: 'refused', what: 'address' } },
				address,
			);
		}
	});

	test('joins the packs of many fetches, and has all mails afterwards', async () => {
		const mails = [...generatedMails(20)];
		commit(mails.slice(0, 19).map(({ bytes }) => ['m', bytes]));
		await fetched();
		const pack =
			'for at in $(seq 1 40); do echo $at | git hash-object -w --stdin | git pack-objects -q objects/pack/pack; done';
		machine.script(epoch.folder, pack);
		const packs = (): number =>
			readdirSync(join(epoch.folder, 'objects/pack')).filter((name) => name.endsWith('.pack')).length;
		assert.ok(packs() > 40);
		commit(mails.slice(19).map(({ bytes }) => ['m', bytes]));
		await fetched();
		assert.ok(packs() < 5, `${packs()} packs`);
		assert.equal((await found(list, '')).length, 20);
		assert.equal((await textsOf(list, mails[3]?.messageId ?? ''))[0], mails[3]?.bytes.toString('latin1'));
	});

	test('keeps its mails when the archive begins another epoch', async () => {
		commit([
			['m', mail('one')],
			['m', mail('two')],
		]);
		await fetched();
		archive.commit('1', [['m', mail('three')]]);
		epoch = { ...epoch, address: 'ssh://archive.test/list/1' };
		list = new LocalList(epochClone(epoch), place.ask, place.file, Date.now);
		assert.equal(await fetched(), 1);
		archive.commit('1', [['m', mail('four')]]);
		assert.equal(await fetched(), 1);
		assert.deepEqual(await found(list, ''), ['four@x', 'three@x', 'two@x', 'one@x']);
		assert.equal((await textsOf(list, '<one@x>')).length, 1);
	});

	test('leaves out a mail of forty megabytes in a small pack, names it, and forgets it when the archive does', async () => {
		const bomb = Buffer.concat([mail('bomb'), Buffer.alloc(40_000_000)]);
		commit([
			['m', mail('one')],
			['m', bomb],
			['m', mail('two')],
		]);
		assert.equal(await fetched(), 2);
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
		const clone = epochClone(epoch);
		const left = async () => (await clone.leftOut()).map(({ subject }) => subject);
		assert.deepEqual(await left(), ['.']);
		commit([['m', mail('three')]]);
		await fetched();
		assert.deepEqual(await left(), ['.']);
		commit([gone(bomb)]);
		await fetched();
		assert.deepEqual(await left(), []);
		assert.deepEqual(await found(list, ''), ['three@x', 'two@x', 'one@x']);
	});

	test('takes the start of a long mail to the index only, and gives it as a whole', async () => {
		const long = Buffer.concat([mail('long'), machineBytes(3_000_000), Buffer.from('\nlastWord\n')]);
		commit([['m', long]]);
		await fetched();
		assert.deepEqual([await found(list, 'lastWord'), await found(list, 'subject')], [[], ['long@x']]);
		assert.deepEqual(await textsOf(list, '<long@x>'), [long.toString('latin1')]);
	});

	test('leaves out mails for which git needs too much memory, also small ones packed as a difference of a large one', async () => {
		const base = Buffer.concat([mail('base'), Buffer.alloc(4_000_000)]);
		const small = mail('small');
		commit([['m', mail('one')]]);
		machine.feed(bare, packOf(base, small), 'index-pack', '--stdin');
		commit([
			['m', base],
			['m', mail('two')],
			['m', small],
			['m', mail('three')],
		]);
		const { git } = epoch;
		const tight: typeof git = {
			run: (...all) => git.run(...all),
			stream(command, ...rest) {
				const isOfMails = command.kind === 'epochMails';
				return git.stream(
					isOfMails ? Object.assign(command, { limits: { ...command.limits, objectBytes: 3_000_000 } }) : command,
					...rest,
				);
			},
		};
		epoch = { ...epoch, git: tight };
		list = new LocalList(epochClone(epoch), place.ask, place.file, Date.now);
		assert.equal(await fetched(), 3);
		assert.deepEqual(await found(list, ''), ['three@x', 'two@x', 'one@x']);
		assert.equal((await epochClone(epoch).leftOut()).length, 2);
		assert.deepEqual((await textsOf(list, '<three@x>')).length, 1);
	});

	test('a path of many megabytes takes no memory, and no mail is lost beside it', async () => {
		const path = Array.from({ length: 3 }, () => 'x'.repeat(2_000_000)).join('/');
		commit([
			['m', mail('one')],
			[path, Buffer.from('x')],
			['m', mail('two')],
		]);
		await fetched();
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
	});

	test('goes on after a fetch that was killed', async () => {
		commit([['m', mail('one')]]);
		await fetched();
		commit([['m', mail('two')]]);
		const lock = join(epoch.folder, 'refs/forge-desk/tip.lock');
		writeFileSync(lock, '');
		await assert.rejects(fetched());
		utimesSync(lock, 1, 1);
		const [old, young] = ['tmp_pack_a', 'tmp_pack_b'].map((name) => join(epoch.folder, 'objects/pack', name));
		writeFileSync(old ?? '', '');
		writeFileSync(young ?? '', '');
		utimesSync(old ?? '', 1, 1);
		await fetched();
		const left = readdirSync(join(epoch.folder, 'objects/pack')).filter((name) => name.startsWith('tmp_'));
		assert.deepEqual(left, ['tmp_pack_b']);
		assert.deepEqual(await found(list, ''), ['two@x', 'one@x']);
		assert.ok(!readdirSync(join(epoch.folder, 'refs/forge-desk')).includes('tip.lock'));
	});
});

/** A pack with a blob, and another one as a difference of it. */
function packOf(base: Buffer, other: Buffer): Buffer {
	const size = (bytes: number): readonly number[] =>
		bytes < 128 ? [bytes] : [(bytes & 127) | 128, ...size(bytes >> 7)];
	const head = (kind: number, bytes: number): Buffer =>
		Buffer.from(bytes < 16 ? [(kind << 4) | bytes] : [(kind << 4) | (bytes & 15) | 128, ...size(bytes >> 4)]);
	const inserted = Array.from({ length: Math.ceil(other.length / 127) }, (_, at) => {
		const part = other.subarray(at * 127, (at + 1) * 127);
		return Buffer.concat([Buffer.from([part.length]), part]);
	});
	const delta = Buffer.concat([Buffer.from([...size(base.length), ...size(other.length)]), ...inserted]);
	const id = createHash('sha1').update(`blob ${base.length}\0`).update(base).digest();
	const start = Buffer.from([...Buffer.from('PACK'), 0, 0, 0, 2, 0, 0, 0, 2]);
	const parts = [start, head(3, base.length), deflateSync(base), head(7, delta.length), id, deflateSync(delta)];
	const pack = Buffer.concat(parts);
	return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

function machineBytes(length: number): Buffer {
	// Bytes that no packing shortens.
	let state = 1;
	return Buffer.from(
		Array.from({ length }, () => {
			state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
			return state >> 16;
		}),
	);
}
