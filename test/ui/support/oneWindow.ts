import { runsAll } from '../../support/counts.ts';
import type { Dialect, SampleForge } from '../../support/sampleForge.ts';
import { mailSettings, type MailSettings } from './mailSettings.ts';
import { knowing } from './sampleWindow.ts';
import { borrowForge, giveBackForge, holdForge } from './sharedForge.ts';
import { useOneWorkbench } from './workbench.ts';

/** High enough for all rows that tests need, because a tree renders only rows in view. */
const viewport = { width: 1400, height: 1500 } as const;

/**
 * Suites that start with alice signed in. In `npm test`, which runs few tests of each, they share one window and one
 * forge; in `npm run prove` each opens its own.
 */
export function inOneWindow(
	title: string,
	dialect: Dialect,
	suites: readonly ((dialect: Dialect) => Mocha.Suite)[],
): void {
	if (runsAll()) {
		suites.forEach((body) => body(dialect));
		return;
	}
	suite(`${dialect}: ${title}`, () => {
		let forge: SampleForge;
		let settings: MailSettings;
		suiteSetup(async () => {
			forge = await borrowForge(dialect);
			holdForge(forge);
			settings = mailSettings(forge);
		});
		useOneWorkbench(() => ({
			name: `${title}-${dialect}`,
			env: { ...knowing(forge, 'alice'), ...settings.env },
			viewport,
		}));
		suiteTeardown(async () => {
			holdForge(undefined);
			settings.remove();
			await giveBackForge(forge);
		});
		suites.forEach((body) => body(dialect));
	});
}
