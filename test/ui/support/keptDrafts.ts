import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf } from '../../support/sampleForge.ts';
import { eventually } from '../../support/eventually.ts';
import type { Workbench } from './workbench.ts';

/** Texts of the stored drafts of an editor's windows, in no order. */
export function keptDrafts({ dataFolder }: Pick<Workbench, 'dataFolder'>): readonly string[] {
	return globSync('User/globalStorage/*/drafts/*.json', { cwd: dataFolder }).flatMap((name) => {
		try {
			return [String(fieldsOf(JSON.parse(readFileSync(join(dataFolder, name), 'utf8')))['text'])];
		} catch {
			// It was sent or discarded meanwhile.
			return [];
		}
	});
}

/** Waits until a draft with this text is on disk. On failure, reports the stored drafts. */
export async function isKeptAsDraft(desk: Pick<Workbench, 'dataFolder'>, text: string): Promise<void> {
	await eventually(async () => {
		const drafts = keptDrafts(desk);
		return drafts.some((draft) => draft.includes(text)) ? 'kept' : drafts;
	}, 'kept');
}
