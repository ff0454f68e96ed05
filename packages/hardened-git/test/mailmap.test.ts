import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import { usualAddresses } from '../src/mailmap.ts';
import { addSettings } from '../../../test/support/gitSettings.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';

const never = new AbortController().signal;
const rita = { name: 'Rita', address: 'rita@home.test' };
const eve = { name: 'Eve', address: 'eve@evil.test' };
const evil = 'Rita <rita@work.test> <eve@evil.test>\n';

const begun = madeOnce((machine) => {
	machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
	writeFileSync(join(machine.folder, 'clone/.mailmap'), 'Rita <rita@work.test> <Rita@Home.test>\n');
	machine.commitAll(join(machine.folder, 'clone'), 'Begin');
	return {};
});

suite('addresses from a clone’s mailmap', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		begun(machine);
	});
	teardown(() => machine.remove());

	async function usual(...people: readonly MailPerson[]): Promise<readonly string[]> {
		const of = await usualAddresses(machine.git, root, people, never);
		return people.map(of);
	}

	test('come from HEAD of the current worktree', async () => {
		assert.deepEqual(await usual(rita, eve), ['rita@work.test', 'eve@evil.test']);
		machine.plain(root, 'worktree', 'add', '-q', '-b', 'other', '../worktree');
		root = join(machine.folder, 'worktree');
		writeFileSync(join(root, '.mailmap'), evil);
		machine.commitAll(root, 'Other');
		assert.deepEqual(await usual(rita, eve), ['rita@home.test', 'rita@work.test']);
		root = join(machine.folder, 'clone');
		assert.deepEqual(await usual(rita, eve), ['rita@work.test', 'eve@evil.test']);
	});

	test('ignore the working tree and files that the clone’s settings name', async () => {
		writeFileSync(join(root, '.mailmap'), evil);
		writeFileSync(join(root, 'other'), evil);
		addSettings(join(root, '.git/config'), [
			['mailmap.file', join(root, 'other')],
			['mailmap.blob', 'HEAD:other'],
		]);
		assert.deepEqual(await usual(rita, eve), ['rita@work.test', 'eve@evil.test']);
	});

	test('stay unchanged without a mailmap, and match names that git can read', async () => {
		const odd = { name: 'A <b>\nEve <eve@evil.test>', address: 'rita@home.test' };
		assert.deepEqual(await usual(odd, rita, { name: '', address: 'rita@home.test' }), Array(3).fill('rita@work.test'));
		writeFileSync(join(root, '.mailmap'), 'Zoë <zoe@work.test> Zoë <z@home.test>\n');
		machine.commitAll(root, 'By name');
		assert.deepEqual(await usual({ name: 'Zoë', address: 'z@home.test' }, { name: 'Zoe', address: 'z@home.test' }), [
			'zoe@work.test',
			'z@home.test',
		]);
		machine.plain(root, 'rm', '-q', '.mailmap');
		machine.commitAll(root, 'Without');
		assert.deepEqual(await usual(rita), ['rita@home.test']);
	});
});
