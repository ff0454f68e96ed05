import { repositoryPages } from './repositoryPages.ts';

/** Fields that the editor, `vsce` or the marketplace reads. All others are for developers, and do not ship. */
const shipped = [
	'name',
	'displayName',
	'version',
	'description',
	'categories',
	'keywords',
	'galleryBanner',
	'icon',
	'license',
	'publisher',
	'qna',
	'type',
	'main',
	'l10n',
	'activationEvents',
	'engines',
	'capabilities',
	'contributes',
] as const;

/** The package's manifest. The owner names the repository; without one, the manifest omits its fields. */
export function packagedManifest(manifest: Readonly<Record<string, unknown>>, repository: URL | undefined): string {
	const kept = shipped.flatMap((name) => (name in manifest ? [[name, manifest[name]] as const] : []));
	const named = repository && {
		repository: { type: 'git', url: repository.href },
		bugs: { url: repositoryPages(repository).bugs },
		homepage: repository.href,
	};
	return `${JSON.stringify({ ...Object.fromEntries(kept), ...named }, undefined, '\t')}\n`;
}
