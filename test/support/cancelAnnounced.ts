import { eventually } from './eventually.ts';
import { stubbed } from './vscodeValues.ts';

/**
 * Waits until the progress of this work is shown, and presses its button to cancel. Work is known by its title, because
 * what an earlier test left running may be announced at any moment.
 */
export async function cancelAnnounced(title: RegExp): Promise<void> {
	const those = () => Array.from(stubbed.announced).filter((each) => title.test(each.title));
	await eventually(async () => those().length, 1);
	for (const { cancel } of those()) {
		cancel();
	}
}
