import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { runsAll } from '../../support/counts.ts';
import { pageThemes, type PageTheme } from '../../support/pageThemes.ts';

declare global {
	interface Window {
		readonly axe: {
			run(context: Document, options: AxeOptions): Promise<{ readonly violations: readonly Violation[] }>;
		};
	}
}

interface AxeOptions {
	readonly runOnly?: { readonly type: 'rule'; readonly values: readonly string[] };
}

interface Violation {
	readonly id: string;
	readonly nodes: readonly { readonly html: string }[];
}

const script = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** The themes for axe: one dark and one light with high contrast, or all in full runs. */
export const axeThemes: readonly PageTheme[] = runsAll() ? pageThemes : ['dark', 'highContrastLight'];

/** Rules whose result depends on the theme. One theme suffices for all others. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];

/** True for the theme with all rules; the others may run only color rules. */
export function isWhole(theme: PageTheme): boolean {
	return runsAll() || theme === axeThemes[0];
}

/** Violations on the page: the rule, and the elements that break it. */
export async function axeViolations(page: Page, theme: PageTheme = 'dark'): Promise<readonly (readonly string[])[]> {
	if (!(await page.evaluate(() => 'axe' in window))) {
		await page.evaluate(script);
	}
	const options: AxeOptions = isWhole(theme) ? {} : { runOnly: { type: 'rule', values: rulesOfColors } };
	return await page.evaluate(async (how) => {
		const results = await window.axe.run(document, how);
		return results.violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 300))]);
	}, options);
}
