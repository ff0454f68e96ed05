import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import type { Workbench } from './workbench.ts';

/** Texts of the drafts that the windows of an editor have on the disk, in no order. */
export function keptDrafts({ dataFolder }: Pick<Workbench, 'dataFolder'>): readonly string[] {
	return globSync('User/globalStorage/*/drafts/*.json', { cwd: dataFolder }).flatMap((name) => {
		try {
			return [String(fieldsOf(JSON.parse(readFileSync(join(dataFolder, name), 'utf8')))['text'])];
		} catch {
			// It was sent or thrown away meanwhile.
			return [];
		}
	});
}

/**
 * Waits until a draft with this text is on the disk: what was typed gets there a moment later. When it never does, what
 * is there instead is told.
 */
export async function isKeptAsDraft(desk: Pick<Workbench, 'dataFolder'>, text: string): Promise<void> {
	await eventually(async () => {
		const drafts = keptDrafts(desk);
		return drafts.some((draft) => draft.includes(text)) ? 'kept' : drafts;
	}, 'kept');
}
