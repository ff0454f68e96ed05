import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { hardenedGit } from 'hardened-git/hardenedGit.ts';
import { type AppliedWorld, eachInAppliedWorld } from '../support/appliedWorld.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { stubbed } from '../../../../support/vscodeValues.ts';

const { exportCommands } = await import('../../../../../src/features/patches/apply/exportPatchset.ts');
const { tellingOfGit } = await import('../../../../../src/features/repositories/clones/failureText.ts');

const never = new AbortController().signal;

suite('patchset commands with an outdated git', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	const runs = (): readonly string[] => readFileSync(join(world.folder, 'runs'), 'utf8').trim().split('\n');

	eachInAppliedWorld((made) => {
		({ world } = made);
		made.window.dispose();
		const old = join(world.folder, 'old-git');
		writeFileSync(old, `#!/bin/sh\necho "$*" >> '${world.folder}/runs'\necho git version 2.31.8\n`, { mode: 0o755 });
		Object.assign(world.parts, { gitPath: async () => old });
	});

	function assertSaid(): void {
		assert.deepEqual(stubbed.shown, ['This needs git 2.32 or newer, not 2.31.8. Update git, then try again.']);
		assert.deepEqual(new Set(runs()), new Set(['--version']));
	}

	for (const [command, ...answers] of [
		['forge.patchsets.apply'],
		['forge.patchsets.checkApplies', 'None on this forge', 'main'],
		['forge.patchsets.removeWorktrees'],
	] as const) {
		test(`${command} reports the outdated git and does nothing`, async () => {
			stubbed.answers.push(...answers);
			await world.window().run(command, world.subject);
			assertSaid();
		});
	}

	const saving: readonly (readonly [CommandId, ...(readonly string[])])[] = [
		['forge.patchsets.save', '/box.mbox'],
		['forge.patchsets.copyCommand'],
	];
	for (const [command, ...answers] of saving) {
		test(`${command} reports the outdated git with an open clone`, async () => {
			const parts: Parameters<typeof exportCommands>[0] = {
				...listsParts(fakeConnections(listConnection(world.lists.api))),
				git: hardenedGit(world.parts),
				tempFolder: world.home,
				findGit: world.editorGit,
				cloneClues: async () => [{ ref: { owner: '~alice', name: 'quill' }, list: world.subject.ref.list }],
				tellingOfGit: (handler) => tellingOfGit(quietProblems, handler),
			};
			stubbed.answers.push(...answers);
			await exportCommands(parts)[command]?.(world.subject, never, []);
			assertSaid();
			assert.deepEqual([stubbed.written, stubbed.copied], [[], []]);
		});
	}
});
