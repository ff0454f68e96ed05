import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { chainedSuite } from '../../support/chain.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { testInProve } from '../../support/testInProve.ts';
import { addOrigin, gitOf } from '../support/gitOf.ts';
import { mailSettings, type MailSettings } from '../support/mailSettings.ts';
import { knowing } from '../support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	expand,
	holdNotification,
	notification,
	openOnly,
	pick,
	pressButton,
	question,
	quickInput,
	runCommand,
	treeItem,
} from '../support/user.ts';
import { borrowForge, giveBackForge } from '../support/sharedForge.ts';
import { useWorkbench } from '../support/workbench.ts';

/** The status bar item of a stopped patchset. */
function applyingItem(page: Page): Locator {
	return page.locator('.statusbar-item').filter({ hasText: /Applying \d of \d/ });
}

/** The maintainer's steps with a patchset: check, apply, push, set the status. */
export function appliedPatchset(dialect: Dialect): Mocha.Suite {
	return chainedSuite(`${dialect}: a patchset in a clone`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		let made = '';
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			settings = mailSettings(forge);
		});
		const workbench = useWorkbench(() => ({
			name: `applying-${dialect}`,
			env: { ...knowing(forge, 'alice'), ...settings.env },
			viewport: { width: 1400, height: 1400 },
		}));
		const git = gitOf(workbench, 'Alice Öberg', 'alice');
		const worktree = (name: string): string => `${workbench().folder}-${name}`;
		suiteSetup(async () => {
			const { page } = workbench();
			made = worktree('mouse-v2');
			addOrigin(git, forge);
			git('checkout', '-q', '-B', 'master', 'origin/master');
			await page.locator('.statusbar-item').filter({ hasText: 'master' }).first().waitFor();
			await openOnly(page, 'Lists');
			await expand(page, /^Mailing list lantern-devel/);
		});
		suiteTeardown(async () => {
			settings.remove();
			await giveBackForge(forge);
			rmSync(made, { recursive: true, force: true, maxRetries: 5 });
		});

		const proposed = /^mouse: drag to select, Proposed, version 2/i;

		test('a check against a branch of the forge shows its result on the row', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, proposed, 'Check if Patchset Applies…', 'More');
			await pick(page, /^master, ~alice\/lantern/);
			await notification(page, /The patchset applies to master \([0-9a-f]{10}\)/).waitFor();
			await treeItem(page, /^mouse: drag to select, Proposed, version 2.*, applies to master/i).waitFor();
			await workbench().screenshot('checked');
			await runCommand(page, 'Notifications: Clear All Notifications');
		});

		test('applying creates a worktree with the replies’ trailers, and pushing marks the patchset as applied', async () => {
			const { page } = workbench();
			await chooseFromMenu(page, proposed, 'Apply Patchset…');
			await pick(page, /^New Worktree at master…/);
			await answer(page, 'mouse-v2');
			await quickInput(page).getByText('Choose what of').waitFor();
			await workbench().screenshot('trailers');
			await quickInput(page).getByRole('button', { name: 'OK' }).click();
			const applied = notification(page, 'Applied 3 patches of "mouse: drag to select" to mouse-v2.');
			await holdNotification(applied);
			const messages = git('-C', worktree('mouse-v2'), 'log', '-3', '--format=%B');
			assert.match(messages, /^Tested-by: Carol Nakamura <carol@forge\.test>$/m);
			assert.match(messages, /^Reviewed-by: Grace Lindqvist <grace@forge\.test>$/m);
			assert.equal(git('rev-parse', 'HEAD'), git('rev-parse', 'origin/master'));
			await workbench().screenshot('applied');
			await pressButton(applied, 'Push…');
			await pick(page, /^master, origin/);
			await question(page, 'Push to master (origin)?').getByRole('button', { name: 'Push' }).click();
			await quickInput(page).getByText('Choose what to do for').waitFor();
			await workbench().screenshot('finish');
			await quickInput(page).locator('.monaco-list-row').filter({ hasText: 'Send Thanks' }).click();
			await quickInput(page).getByRole('button', { name: 'OK' }).click();
			await notification(page, 'Pushed to master (origin). Done: Set Status to Applied').waitFor();
			const tip = git('-C', worktree('mouse-v2'), 'rev-parse', 'HEAD');
			assert.equal(git('ls-remote', 'origin', 'refs/heads/master').split('\t')[0], tip);
			await treeItem(page, proposed).waitFor({ state: 'detached' });
			await expand(page, /^Done, patchsets: /);
			await treeItem(page, /^mouse: drag to select, Applied, version 2/i).waitFor();
		});

		testInProve('a conflict shows in the status bar, also after a reload, until the user aborts', async () => {
			const { page } = workbench();
			git('merge', '-q', '--ff-only', 'origin/master');
			await chooseFromMenu(page, /^mouse: drag to select, Proposed, version 1/i, 'Apply Patchset…');
			await pick(page, /^Version 1\b/);
			await pick(page, /^Current Branch master/);
			await quickInput(page).getByText('Already in master: commit').waitFor();
			await answer(page, '*');
			await applyingItem(page).waitFor();
			await workbench().screenshot('conflict');
			await page.reload();
			await applyingItem(page).waitFor();
			await applyingItem(page).click();
			await pick(page, 'Abort Applying…');
			await question(page, 'Abort applying').getByRole('button', { name: 'Abort Applying' }).click();
			await notification(page, 'Applying was aborted.').waitFor();
			await applyingItem(page).waitFor({ state: 'detached' });
			assert.equal(git('status', '--porcelain'), '');
		});

		testInProve('its command removes the worktree', async () => {
			const { page } = workbench();
			await runCommand(page, 'Forge: Remove Patchset Worktrees…');
			await quickInput(page)
				.getByText(basename(worktree('mouse-v2')))
				.first()
				.waitFor();
			await quickInput(page).getByRole('button', { name: 'OK' }).click();
			await question(page, 'Remove 1 worktree?').getByRole('button', { name: 'Remove' }).click();
			await notification(page, 'Removed 1 worktree.').waitFor();
			assert.equal(git('worktree', 'list').split('\n').length, 1);
		});
	});
}
