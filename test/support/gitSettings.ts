import { appendFileSync } from 'node:fs';

/** The name of a setting of git with all of its dots, such as `filter.evil.clean`, and its value. */
export type GitSetting = readonly [name: string, value: string];

/**
 * Adds settings to a file of git's, as a run of `git config --add` for each would. A clone in a test may have dozens, and
 * dozens of programs take longer than what is tested.
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

/** The same settings as variables of git. */
export function settingVariables(settings: readonly GitSetting[]): Readonly<Record<string, string>> {
	const pairs = settings.flatMap(([name, value], at): readonly (readonly [string, string])[] => [
		[`GIT_CONFIG_KEY_${at}`, name],
		[`GIT_CONFIG_VALUE_${at}`, value],
	]);
	return { ...Object.fromEntries<string>(pairs), GIT_CONFIG_COUNT: String(settings.length) };
}
