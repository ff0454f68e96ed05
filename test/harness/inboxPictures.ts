import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askAs, eventPlaces, makeEventPlaces, push, say, sendMail, sendPatch } from '../support/eventCauses.ts';
import { pressInBox } from '../ui/support/boxKeys.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleForge, type SampleForge } from '../support/sampleForge.ts';
import { isWatched } from '../ui/support/keptInbox.ts';
import {
	answer,
	chooseFromMenu,
	expand,
	openContainer,
	openOnly,
	pick,
	quickInput,
	runCommand,
	treeItem,
} from '../ui/support/user.ts';
import {
	type Camera,
	type PictureFolders,
	pictureSize,
	takeBoxInThemes,
	takeInThemes,
	withCamera,
} from './pictureCamera.ts';

/** The inbox with the number on the icon, what the settings say of it, and webhooks, in the themes in which people look at it. */
export async function takeInboxPictures(folders: PictureFolders): Promise<void> {
	const forge = await startSampleForge({ dialect: 'document' });
	const directory = await mkdtemp(join(tmpdir(), 'forge-desk-inbox-'));
	try {
		await makeEventPlaces(forge);
		await withCamera(
			{
				name: 'inbox-pictures',
				settings: {
					// The settings in a window over the others would keep the palette from opening.
					'workbench.editor.useModal': 'off',
					'forge.forges': [
						// A forge like any other: of the sample forge itself nothing is kept.
						{ name: 'Lantern Forge', areas: forge.areas, signIn: { kind: 'tokenOnly' }, webhookKey: forge.webhookKey },
					],
				},
				viewport: pictureSize,
			},
			folders,
			async (camera) => {
				await signIn(camera, forge);
				await happen(forge, directory);
				await inbox(camera);
				await webhooks(camera);
				await settingsOf(camera);
			},
		);
	} finally {
		await forge.stop();
		await rm(directory, { recursive: true, force: true });
	}
}

/** Until all is watched to which something is going to happen. */
async function signIn({ page, workbench }: Camera, forge: SampleForge): Promise<void> {
	await openContainer(page, 'Forge');
	await runCommand(page, 'Forge: Sign In with a Token…');
	await quickInput(page).getByPlaceholder('Token').waitFor();
	await answer(page, forge.tokens.alice);
	await openOnly(page, 'Repositories');
	await chooseFromMenu(page, /^Repository lantern-plugins/, 'Watch…');
	await pick(page, /^Everything/);
	const { tracker, list, repository } = eventPlaces;
	for (const [kind, { owner, name }] of Object.entries({ tracker, list, repository })) {
		await eventually(async () => isWatched(workbench.dataFolder, `${kind} ${owner}/${name}`), true);
	}
}

async function happen(forge: SampleForge, directory: string): Promise<void> {
	let count = 0;
	const world = { sample: forge, by: 'bob', directory, next: () => ++count, ask: askAs(forge, 'bob') } as const;
	const ticket = '~alice/workshop#1';
	await say(world);
	await forge.act('/todo/comment', { ticket, by: 'bob', text: 'What do you think of it, ~alice?' });
	await forge.act('/todo/assign', { ticket, by: 'bob', user: 'alice' });
	await sendMail(world);
	await sendPatch(world);
	await push(world);
}

async function inbox(camera: Camera): Promise<void> {
	const { page } = camera;
	await openOnly(page, 'Inbox');
	await runCommand(page, 'Forge: Refresh Inbox');
	await expand(page, /^The lamp smokes/);
	for (const row of [/assigned you/, /An evening mail/, /Trim the wick/, /lantern-plugins/]) {
		await treeItem(page, row).waitFor();
	}
	await takeInThemes(camera, 'inbox');
	await takeSmall(camera, 'inbox');
	await takeBoxInThemes(camera, 'inbox-watch', async () => {
		await chooseFromMenu(page, /^The lamp smokes/, 'Watch…');
		await quickInput(page)
			.getByRole('option', { name: /^Everything/ })
			.waitFor();
	});
}

/** In a narrow window, and in one that is enlarged to 200 percent. */
async function takeSmall({ page, take }: Camera, name: string): Promise<void> {
	for (const [size, viewport] of Object.entries({
		narrow: { width: 475, height: 800 },
		'200-percent': { width: 640, height: 400 },
	})) {
		await page.setViewportSize(viewport);
		await take(`${name}-${size}`, 'look');
	}
	await page.setViewportSize(pictureSize);
}

async function webhooks(camera: Camera): Promise<void> {
	const { page } = camera;
	await runCommand(page, 'Forge: Webhooks…', 'Receive Webhooks…');
	await page.locator('.statusbar-item').filter({ hasText: 'Webhooks of forges on this computer arrive.' }).waitFor();
	const list = async (): Promise<void> => {
		await runCommand(page, 'Forge: Webhooks…', 'Show Webhooks');
		await quickInput(page).getByRole('option').filter({ hasText: 'Your repositories' }).first().waitFor();
	};
	await takeBoxInThemes(camera, 'webhooks', list);
	await list();
	await takeSmall(camera, 'webhooks');
	await pressInBox(quickInput(page), 'Escape');
}

async function settingsOf(camera: Camera): Promise<void> {
	const { page } = camera;
	const settings = page.locator('.settings-editor');
	for (const [section, last] of [
		['inbox', 'Status Bar'],
		['webhooks', 'Public Address'],
	] as const) {
		await runCommand(page, 'Preferences: Open Settings (UI)');
		await settings.locator('.suggest-input-container .view-line').first().click();
		await page.keyboard.press('ControlOrMeta+A');
		await page.keyboard.type(`@id:forge.${section}.*`);
		if (section === 'webhooks') {
			// Most of these are the computer's.
			await settings.getByText(/^Remote \[/).click();
		}
		await settings.getByText(last).first().waitFor();
		await takeInThemes(camera, `settings-${section}`);
	}
	await runCommand(page, 'View: Close All Editors');
}
