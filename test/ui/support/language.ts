import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nPseudoLocalized } from '@vscode/l10n-dev';
import * as v from 'valibot';
import { uiTexts } from '../../harness/uiTexts.ts';
import type { Workbench } from './workbench.ts';

/** The tag of a locale whose texts are English with accents, and a third longer. */
export const pseudoLocale = 'qps-ploc';

/** Pseudo-localised texts contain characters that no other text does. */
export const isPseudo = (text: string): boolean => /[ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑ]/i.test(text);

/** Text of the extension as the pseudo-locale shows it. */
export function pseudo(text: string): string {
	const localized = getL10nPseudoLocalized({ text })['text'];
	return typeof localized === 'string' ? localized : text;
}

const stringRecord = v.record(v.string(), v.string());

/** Adds the pseudo-locale to the installed extension. */
export async function installPseudoLocale({ dataFolder }: Workbench): Promise<void> {
	const [folder = ''] = globSync(join(dataFolder, '../extensions/forge-desk.*'));
	const manifestTexts = v.parse(stringRecord, JSON.parse(readFileSync(join(folder, 'package.nls.json'), 'utf8')));
	const write = (file: string, texts: Readonly<Record<string, string>>): void =>
		writeFileSync(join(folder, file), JSON.stringify(getL10nPseudoLocalized(texts)));
	write(`package.nls.${pseudoLocale}.json`, manifestTexts);
	write(
		`media/l10n/bundle.l10n.${pseudoLocale}.json`,
		Object.fromEntries((await uiTexts()).map((text) => [text, text])),
	);
}

/** Reloads the window in a language. The editor's own texts stay English. */
export async function speak({ page, dataFolder }: Workbench, language: string): Promise<void> {
	const translation = join(dataFolder, `${language}.json`);
	writeFileSync(translation, JSON.stringify({ contents: {} }));
	const extensions = [{ extensionIdentifier: { id: `tests.${language}` }, version: '1.0.0' }];
	const pack = { hash: language, label: language, extensions, translations: { vscode: translation } };
	writeFileSync(join(dataFolder, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
	writeFileSync(join(dataFolder, 'User/argv.json'), JSON.stringify({ locale: language }));
	await page.reload();
	await page.locator('.activitybar').getByRole('tab').first().waitFor();
}
