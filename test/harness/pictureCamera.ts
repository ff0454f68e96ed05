import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pressInBox } from '../ui/support/boxKeys.ts';
import { quickInput } from '../ui/support/user.ts';
import { startWorkbench, type Theme, type Workbench, type WorkbenchOptions } from '../ui/support/workbench.ts';

/** Where pictures go: those of the documentation, and those that are only looked at. */
export type PictureFolders = Readonly<Record<'kept' | 'look', string>>;

const mostBytes = 200_000;
export const pictureSize = { width: 1280, height: 800 } as const;

/** The themes that everything is looked at in; the last one is the one in which it goes on. */
const lookThemes: readonly Theme[] = ['light', 'highContrast', 'dark'];

export interface Camera {
	readonly page: Page;
	readonly workbench: Workbench;
	readonly folders: PictureFolders;
	/** Takes a picture; `kept` ones go to the documentation. */
	readonly take: (name: string, kind: 'kept' | 'look') => Promise<void>;
}

function openCamera(workbench: Workbench, folders: PictureFolders): Camera {
	const { page } = workbench;
	const take: Camera['take'] = async (name, kind) => {
		const path = join(folders[kind], `${name}.png`);
		await settle(page);
		await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
		const { size: bytes } = statSync(path);
		console.log(`  ${name} (${Math.round(bytes / 1000)} kB)${bytes > mostBytes ? ', too large to keep' : ''}`);
	};
	return { page, workbench, folders, take };
}

/** Opens an editor and lets `work` take its pictures. Where that fails, the last picture is of what was there. */
export async function withCamera(
	options: WorkbenchOptions,
	folders: PictureFolders,
	work: (camera: Camera) => Promise<void>,
): Promise<void> {
	const workbench = await startWorkbench(options);
	try {
		const camera = openCamera(workbench, folders);
		await work(camera).catch(async (error: unknown) => {
			await camera.take(`when-${options.name}-failed`, 'look');
			throw error;
		});
	} finally {
		await workbench.stop();
	}
}

/** Takes what is there in every theme; `show`: what brings it back where choosing a theme hides it. */
export async function takeInThemes(
	{ workbench, take }: Camera,
	name: string,
	show?: () => Promise<void>,
): Promise<void> {
	for (const theme of lookThemes) {
		await workbench.setTheme(theme);
		await show?.();
		await take(`${name}-${theme}`, 'look');
	}
}

/** The same of a box, which closes whenever the theme is chosen. */
export async function takeBoxInThemes(camera: Camera, name: string, open: () => Promise<void>): Promise<void> {
	const { page, workbench, take } = camera;
	for (const theme of lookThemes) {
		await workbench.setTheme(theme);
		await open();
		await take(`${name}-${theme}`, 'look');
		await pressInBox(quickInput(page), 'Escape');
		await quickInput(page).waitFor({ state: 'hidden' });
	}
}

/** Hovers would show in the picture: the pointer goes away, and the page draws what is still to be drawn. */
export async function settle(page: Page): Promise<void> {
	await page.mouse.move(pictureSize.width / 2, 10);
	await page.evaluate(
		() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
	);
}
