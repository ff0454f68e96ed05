const textFields = new Set([
	'title',
	'description',
	'markdownDescription',
	'enumDescriptions',
	'contents',
	'userDescription',
	'patternErrorMessage',
	'altText',
]);

/** These fields hold texts only inside of some fields. */
const textFieldsIn: Readonly<Record<string, RegExp>> = {
	displayName: /\blanguageModelTools\b/,
	label: /\b(?:submenus|defaultSnippets)\b/,
	name: /\bviews\.|\bforge\.filters\.default\b/,
};

/** Replaces each text of a manifest by its key in `package.nls.json`, and lists the texts by key. */
export function localizedManifest(manifest: unknown): {
	readonly manifest: unknown;
	readonly texts: Readonly<Record<string, string>>;
} {
	const texts: Record<string, string> = {};
	/** `field`: the nearest one with a name; items of an array have none. */
	function localized(value: unknown, path: string, field: string): unknown {
		if (typeof value === 'string') {
			const isText = textFields.has(field) || textFieldsIn[field]?.test(path) === true;
			if (isText) {
				texts[path] = value;
			}
			return isText ? `%${path}%` : value;
		}
		if (Array.isArray(value)) {
			return value.map((each: unknown, at) => localized(each, `${path}.${at}`, field));
		}
		return value !== null && typeof value === 'object'
			? Object.fromEntries(
					Object.entries(value).map(([name, each]: [string, unknown]) => [
						name,
						// Language models read `inputSchema`.
						name === 'inputSchema' ? each : localized(each, path === '' ? name : `${path}.${name}`, name),
					]),
				)
			: value;
	}
	return { manifest: localized(manifest, '', ''), texts };
}
