import { appendFileSync } from 'node:fs';

/** Full name of a git setting, such as `filter.evil.clean`, and its value. */
export type GitSetting = readonly [name: string, value: string];

/**
 * Adds settings to a config file like `git config --add`. A clone in a test may have dozens, and so many git processes
 * take longer than the tested code.
 */
export function addSettings(file: string, settings: readonly GitSetting[]): void {
	appendFileSync(file, settings.map(settingText).join(''));
}

function settingText([name, value]: GitSetting): string {
	const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
	const section = name.slice(0, first);
	const head = first === last ? section : `${section} "${escaped(name.slice(first + 1, last))}"`;
	const line = escaped(value).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
	return `[${head}]\n\t${name.slice(last + 1)} = "${line}"\n`;
}

function escaped(text: string): string {
	return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** The same settings as environment variables. */
export function settingVariables(settings: readonly GitSetting[]): Readonly<Record<string, string>> {
	const pairs = settings.flatMap(([name, value], at): readonly (readonly [string, string])[] => [
		[`GIT_CONFIG_KEY_${at}`, name],
		[`GIT_CONFIG_VALUE_${at}`, value],
	]);
	return { ...Object.fromEntries<string>(pairs), GIT_CONFIG_COUNT: String(settings.length) };
}
