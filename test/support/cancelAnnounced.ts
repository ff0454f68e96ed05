import { eventually } from './eventually.ts';
import { stubbed } from './vscodeValues.ts';

/**
 * Waits for progress with this title and presses its cancel button. The title matters: work of an earlier test may
 * announce progress at any moment.
 */
export async function cancelAnnounced(title: RegExp): Promise<void> {
	const those = () => Array.from(stubbed.announced).filter((each) => title.test(each.title));
	await eventually(async () => those().length, 1);
	for (const { cancel } of those()) {
		cancel();
	}
}
