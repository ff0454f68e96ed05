import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { hardenedGit } from 'hardened-git/hardenedGit.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeGit, fakeRepository } from '../../../../support/fakeGit.ts';
import { fakeLists, listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { pullCommands } = await import('../../../../../src/features/patches/pull/pullChanges.ts');
const { tellingOfGit } = await import('../../../../../src/features/repositories/clones/failureText.ts');

const mail = { kind: 'mail', connectionKey: 'sample-alice', list: { owner: '~alice', name: 'devel' }, id: 60 } as const;

suite('fetching a pull request', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let theirs: string;

	const bobs = `forge-desk/bob-${createHash('sha256').update('git@git.elsewhere.test:~bob/lantern').digest('hex').slice(0, 12)}`;
	const asked = (where: string): string =>
		`The following changes since commit ${'1'.repeat(40)}:\n\n  x\n\nare available in the git repository at:\n\n  ${where}\n\n`;

	async function run(text: string, { isTrusted = true, clones = [root] } = {}): Promise<void> {
		const ssh = join(machine.folder, 'ssh');
		writeFileSync(ssh, `#!/bin/sh\nexec git upload-pack '${theirs}'\n`, { mode: 0o755 });
		const environment = { ...machine.parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const { world, api } = fakeLists();
		world.mails.push(makeMail({ id: 60, subject: '[GIT PULL] Lamps', text }));
		const commands = pullCommands({
			...listsParts(fakeConnections(listConnection(api))),
			findGit: fakeGit(...clones.map((each) => fakeRepository(each))),
			git: hardenedGit({ ...machine.parts, environment }),
			tempFolder: machine.home,
			withAskPass: (_, __, work) => work({ program: '/bin/false', environment: {} }),
			folderKey: async (path) => path,
			trust: { isTrusted: () => isTrusted, onDidGrant: () => ({ dispose: () => undefined }) },
			tellingOfGit: (handler) => tellingOfGit(quietProblems, handler),
		});
		await commands['forge.lists.fetchPull']?.(mail, new AbortController().signal, [mail]);
	}

	setup(() => {
		resetStub();
		machine = testMachine();
		[root, theirs] = [join(machine.folder, 'lantern'), join(machine.folder, 'theirs')];
		mkdirSync(theirs);
		machine.plain(theirs, 'init', '-q', '-b', 'main');
		machine.plain(theirs, 'commit', '-q', '--allow-empty', '-m', 'One');
		machine.plain(machine.folder, 'clone', '-q', `file://${theirs}`, root);
		machine.plain(theirs, 'checkout', '-q', '-b', 'for-alice');
		machine.plain(theirs, 'commit', '-q', '--allow-empty', '-m', 'Two');
	});
	teardown(() => machine.remove());

	test('fetches into the open clone after a confirmation that shows the source', async () => {
		stubbed.answers.push('Fetch');
		await run(asked('git@git.elsewhere.test:~bob/lantern for-alice'));
		assert.deepEqual(stubbed.shown, ['Fetch "for-alice" into lantern?', `Fetched "for-alice" as ${bobs}/for-alice.`]);
		assert.match(
			stubbed.details[0] ?? '',
			/^From: git@git\.elsewhere\.test:~bob\/lantern\nGit runs in a folder of its own, so hooks,/,
		);
		assert.equal(machine.plain(root, 'log', '--format=%s', `${bobs}/for-alice`).trim(), 'Two\nOne');
		assert.equal(machine.plain(root, 'log', '--format=%s').trim(), 'One');
	});

	test('fetches nothing without a confirmation or in an untrusted window', async () => {
		await assert.rejects(run(asked('git@git.elsewhere.test:~bob/lantern for-alice')), isAbort);
		stubbed.answers.push('Fetch');
		await run(asked('git@git.elsewhere.test:~bob/lantern for-alice'), { isTrusted: false });
		assert.throws(() => machine.plain(root, 'rev-parse', '--verify', `${bobs}/for-alice`));
	});

	test('warns if the branch ends at another commit than the message names', async () => {
		const tip = machine.plain(theirs, 'rev-parse', 'HEAD').trim();
		const ending = (at: string): string =>
			`${asked('git@git.elsewhere.test:~bob/lantern for-alice')}for you to fetch changes up to ${at}:\n\n`;
		for (const upTo of [tip, tip.slice(0, 12)]) {
			stubbed.answers.push('Fetch');
			await run(ending(upTo));
			assert.equal(stubbed.shown.at(-1), `Fetched "for-alice" as ${bobs}/for-alice.`);
		}
		stubbed.answers.push('Fetch');
		await run(ending('7'.repeat(12)));
		assert.equal(
			stubbed.shown.at(-1),
			`Fetched "for-alice" as ${bobs}/for-alice, but it ends at commit ${tip.slice(0, 10)}, and the message names 7777777777. Review its commits before you merge them.`,
		);
	});

	test('reports a missing clone and an unsafe URL', async () => {
		await assert.rejects(run(asked('git@git.elsewhere.test:~bob/lantern for-alice'), { clones: [] }), isAbort);
		assert.match(stubbed.shown.at(-1) ?? '', /^No clone is open in this window\./);
		stubbed.answers.push('Fetch');
		await run(asked('ext::sh for-alice'));
		await eventually(
			async () => stubbed.shown.at(-1),
			'This repository has no URL that is safe to pass to git. Check its name.',
		);
	});
});
