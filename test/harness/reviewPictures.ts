import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { mailSettings } from '../ui/support/mailSettings.ts';
import { knowing } from '../ui/support/sampleWindow.ts';
import {
	answer,
	chooseFromMenu,
	clickRow,
	editorTab,
	expand,
	gitIsThere,
	notification,
	openContainer,
	openOnly,
	pick,
	question,
	quickInput,
	runCommand,
} from '../ui/support/user.ts';
import type { Workbench } from '../ui/support/workbench.ts';
import { type Camera, type PictureFolders, takeBoxInThemes, takeInThemes, withCamera } from './pictureCamera.ts';

const folded = /^fold: nest as deep as you like, .*version 2/;
const dragged = (version: number): RegExp => new RegExp(`^mouse: drag to select, .*version ${version}`, 'i');
const reply = 'The redraw is still missing';
const branch = 'mouse-v2';

/** A maintainer's way with mailed patches, in the themes in which people look at it. */
export async function takeReviewPictures(folders: PictureFolders): Promise<void> {
	const forge = await startSampleForge({ dialect: 'field' });
	const mail = mailSettings(forge);
	const worktrees: string[] = [];
	try {
		await withCamera(
			{
				name: 'review-pictures',
				settings: { 'comments.openView': 'never' },
				env: { ...knowing(forge, 'alice'), ...mail.env },
				viewport: { width: 1400, height: 1000 },
			},
			folders,
			async (camera) => {
				worktrees.push(worktreeOf(camera.workbench));
				await cloned(camera.workbench, forge);
				await comments(camera);
				await versions(camera);
				await applying(camera);
			},
		);
	} finally {
		worktrees.forEach((each) => rmSync(each, { recursive: true, force: true, maxRetries: 5 }));
		mail.remove();
		await forge.stop();
	}
}

function worktreeOf({ folder }: Pick<Workbench, 'folder'>): string {
	return `${folder}-${branch}`;
}

function git({ folder }: Pick<Workbench, 'folder'>, ...args: readonly string[]): void {
	execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
}

async function cloned(workbench: Workbench, { areas }: SampleForge): Promise<void> {
	const { page } = workbench;
	await gitIsThere(page);
	git(workbench, 'remote', 'add', 'origin', `${areas.git}/~alice/lantern`);
	git(workbench, 'fetch', '-q', 'origin');
	git(workbench, 'checkout', '-q', '-B', 'master', 'origin/master');
	await page.locator('.statusbar-item').filter({ hasText: 'master' }).first().waitFor();
	await openContainer(page, 'Forge');
	await openOnly(page, 'Lists');
	await expand(page, /^Mailing list lantern-devel/);
}

/** Replies on their lines, a draft below one of them, and the mails that it becomes. */
async function comments(camera: Camera): Promise<void> {
	const { page } = camera;
	await expand(page, folded);
	await expand(page, /^Comments, \d+ comments/);
	await clickRow(page, new RegExp(`^Unanswered question, ${reply}`));
	await editorTab(page, /^fold_tree\.c \(3\/4/).waitFor();
	const thread = page.locator('.review-widget').filter({ hasText: reply });
	await thread.getByText(reply).first().waitFor();
	await takeInThemes(camera, 'review-threads');
	await thread.locator('.review-thread-reply-button').click();
	await thread.locator('.comment-form .inputarea, .comment-form .native-edit-context').first().focus();
	await page.keyboard.type('It is drawn in the next patch.');
	await thread.getByRole('button', { name: 'Add Draft Comment' }).click();
	await thread.getByText('Draft', { exact: true }).waitFor();
	await takeInThemes(camera, 'review-draft');
	await takeBoxInThemes(camera, 'review-comments', async () => {
		await runCommand(page, 'Forge: Go to Comment…');
		await quickInput(page).getByRole('option').first().waitFor();
	});
	await runCommand(page, 'Forge: Review…', 'Preview Review…');
	await editorTab(page, /^Review of patchset \d+/).waitFor();
	await page
		.locator('.editor-instance:visible .view-lines')
		.last()
		.filter({ hasText: /In-Reply-To:\s</ })
		.waitFor();
	await takeInThemes(camera, 'review-preview');
	await runCommand(page, 'View: Close All Editors');
}

async function versions(camera: Camera): Promise<void> {
	const { page } = camera;
	await chooseFromMenu(page, folded, 'Compare Versions of Patchset…', 'Versions');
	await editorTab(page, /^v1\.\.v2 fold: nest as deep as you like\.range-diff/).waitFor();
	await page.locator('.editor-instance .view-line').filter({ hasText: 'break;' }).first().waitFor();
	await takeInThemes(camera, 'review-range-diff');
	await runCommand(page, 'View: Close All Editors');
}

/** Trailers to choose from, what is said afterwards, and a patch that does not fit. */
async function applying(camera: Camera): Promise<void> {
	const { page, workbench } = camera;
	const beginApplying = async (): Promise<void> => {
		await chooseFromMenu(page, dragged(2), 'Apply Patchset…');
		await pick(page, /^New Worktree at master…/);
		await answer(page, branch);
		await quickInput(page).getByText('Choose trailers to add to the commit messages').waitFor();
	};
	await takeBoxInThemes(camera, 'review-trailers', beginApplying);
	await beginApplying();
	await quickInput(page).getByRole('button', { name: 'OK' }).click();
	await notification(page, 'Applied 3 patches of "mouse: drag to select"').waitFor();
	await takeInThemes(camera, 'review-applied', async () => {
		// A notice stands for some seconds only.
		await runCommand(page, 'Notifications: Show Notifications');
		await page.locator('.notifications-center').getByText('Applied 3 patches').waitFor();
	});
	await runCommand(page, 'Notifications: Clear All Notifications');
	git(workbench, 'merge', '-q', '--ff-only', branch);
	await expand(page, /^Done, patchsets: /);
	await chooseFromMenu(page, dragged(1), 'Apply Patchset…');
	await pick(page, /^Version 1/);
	await pick(page, /^Current Branch master/);
	await pick(page, 'Apply All Patches');
	await page
		.locator('.statusbar-item')
		.filter({ hasText: /Applying \d of \d/ })
		.waitFor();
	await takeInThemes(camera, 'review-conflict');
	await runCommand(page, 'Forge: Abort Applying Patchset…');
	await question(page, 'Abort applying').getByRole('button', { name: 'Abort Applying' }).click();
	await notification(page, 'Applying was aborted.').waitFor();
}
