import { command, commands, merged, inView, rows, whileTrue } from './command.ts';
import { all, any, focused, hasFolder, not, page, scheme, set, signedIn, trusted } from './when.ts';

export const repositoriesCommands = commands({
	'forge.repositories.follow': command('Follow Repository…', 'eye', 'never', {
		titles: [['repositories', '1_follow@1', signedIn]],
	}),
	'forge.repositories.unfollow': command('Unfollow Repository…', 'eye-closed', 'never', {
		rows: [[rows('repository.followed'), '8_follow@1']],
	}),
	'forge.repositories.open': command('Open Repository…', 'repo', 'never', {
		rows: [[rows('repository'), 'inline@1', '1_work@0']],
	}),
	'forge.repositories.openFile': command('Open Remote File…', 'file-code', signedIn, {
		rows: [[rows(['reference', 'folder']), '2_find@1']],
		help: 'by its name',
		keys: { 'shift+g': ['repositories'] },
	}),
	'forge.repositories.openCommit': command('Open Commit…', 'git-commit', 'never', {
		rows: [[inView('history', rows('commit')), 'inline@1', '1_work@2']],
	}),
	'forge.repositories.mount': command('Open Remote Folder in Workspace…', 'root-folder', signedIn, {
		rows: [[rows(['repository', 'reference']), '1_work@1']],
		help: 'the repository, or the branch or tag, as a folder of the workspace',
		keys: { 'shift+o': ['repositories'] },
	}),
	'forge.repositories.search': command('Search in Remote Files…', 'search', signedIn, {
		rows: [[rows(['repository', 'reference', 'folder']), '2_find@2']],
		menus: { 'explorer/context': [[all(scheme('forge'), set('explorerResourceIsRoot')), '4_search@1']] },
		help: 'for a text',
		keys: { 'shift+f': ['repositories'] },
	}),
	'forge.search.again': command('Search Again…', 'search', 'never', {
		titles: [['search', 'navigation@1']],
	}),
	'forge.search.cancel': command('Stop Search', 'debug-stop', 'never', {
		titles: [['search', 'navigation@0', set('forge.search.running')]],
	}),
	'forge.search.clear': command('Clear Search Results', 'clear-all', 'never', {
		titles: [['search', 'navigation@3']],
	}),
	'forge.search.openAsText': command('Open Search Results as Text', 'go-to-file', 'never', {
		titles: [['search', 'navigation@2']],
	}),
	'forge.history.openChange': command('Open Change', 'diff', 'never', {
		rows: [[inView('history', rows('commit')), '1_work@1']],
	}),
	'forge.history.cancel': command('Stop Loading File History', 'debug-stop', 'never', {
		titles: [['history', 'navigation@0', set('forge.history.running')]],
	}),
	'forge.history.clear': command('Close File History', 'close', 'never', {
		titles: [['history', 'navigation@1']],
	}),
	'forge.repositories.copyPermalink': command('Copy Permalink', '', signedIn, {
		git: 'onFiles',
		rows: [[rows(['reference', 'folder', 'file']), 'copy/1@2']],
		menus: {
			'editor/context/copy': [[all(signedIn, any(scheme('forge'), all(scheme('file'), trusted))), 'z_forge@1']],
			'editor/title/context': [[all(signedIn, any(scheme('forge'), all(scheme('file'), trusted))), 'z_forge@1']],
		},
	}),
	'forge.repositories.openPermalink': command('Open Permalink on the Web', '', 'never', {
		git: 'onFiles',
		menus: {
			'editor/title/context': [[all(signedIn, any(scheme('forge'), all(scheme('file'), trusted))), 'z_forge@2']],
		},
	}),
	'forge.repositories.openChanges': command('Open Changes of Commit…', 'diff-multiple', 'never', {
		rows: [
			[inView('repositories', rows('commit')), 'inline@1', '1_work@2'],
			[inView('history', rows('commit')), '1_work@3'],
		],
		keys: { 'shift+i': ['repositories'] },
	}),
	'forge.repositories.openChange': command('Open Change', 'diff', 'never'),
	'forge.repositories.compare': command('Compare References…', 'git-compare', signedIn, {
		rows: [[rows(['reference', 'commit']), '3_compare@1']],
		keys: { 'shift+d': ['repositories'] },
	}),
	'forge.repositories.selectForCompare': command('Select for Compare', 'git-compare', 'never', {
		rows: [[rows(['reference', 'commit']), '3_compare@2']],
	}),
	'forge.repositories.compareWithSelected': command('Compare with Selected', 'git-compare', 'never', {
		rows: [[whileTrue(set('forge.repositories.selected'), rows(['reference', 'commit'])), '3_compare@3']],
	}),
	'forge.repositories.swapSides': command(
		'Swap Sides of Comparison',
		'arrow-swap',
		all(signedIn, scheme('multi-diff-editor', 'forge')),
	),
	'forge.repositories.compareWithFile': command('Compare File with Remote…', 'compare-changes', 'never', {
		rows: [[rows('file'), '3_compare@4']],
		menus: {
			'editor/context': [[all(signedIn, scheme('forge', 'file')), 'z_forge@3']],
			'explorer/context': [[all(signedIn, scheme('forge', 'file'), not(set('explorerResourceIsFolder'))), 'z_forge@2']],
		},
	}),
	'forge.repositories.fileHistory': command('Show File History', 'history', signedIn, {
		git: 'onFiles',
		rows: [[rows(['file', 'folder', 'change']), '3_compare@5']],
		menus: {
			'editor/context': [[all(signedIn, any(scheme('forge'), all(scheme('file'), trusted, hasFolder))), 'z_forge@4']],
			'explorer/context': [
				[
					all(signedIn, any(scheme('forge'), all(scheme('file'), trusted)), not(set('explorerResourceIsRoot'))),
					'z_forge@3',
				],
			],
		},
		help: 'also of a folder',
		keys: { 'shift+h': ['repositories'] },
	}),
	'forge.repositories.clone': command('Clone…', 'repo-clone', signedIn, {
		git: 'always',
		rows: [[rows(['repository', 'reference']), '1_work@2']],
		keys: { 'shift+c': ['repositories'] },
	}),
	'forge.repositories.copyCloneAddress': command('Copy Clone URL…', 'copy', 'never', {
		rows: [[rows('repository'), 'copy/2@1']],
		keys: { 'shift+y': ['repositories'] },
	}),
	'forge.repositories.continueInClone': command('Open in Local Clone…', 'repo-pull', scheme('forge'), {
		git: 'always',
		rows: [[rows('file'), '1_work@2']],
		menus: {
			'editor/context': [[scheme('forge'), 'z_forge@2']],
			'editor/title/context': [[scheme('forge'), '4_forge@1']],
			'explorer/context': [[all(scheme('forge'), not(set('explorerResourceIsFolder'))), '4_forge@1']],
		},
	}),
	'forge.repositories.openTwin': command('Open Remote Version', 'cloud', all(signedIn, scheme('file')), {
		git: 'always',
		menus: {
			'editor/context': [[all(signedIn, scheme('file'), hasFolder), 'z_forge@2']],
			'editor/title/context': [[all(signedIn, scheme('file'), hasFolder), '4_forge@1']],
			'explorer/context': [[all(signedIn, scheme('file'), not(set('explorerResourceIsFolder'))), '4_forge@1']],
		},
	}),
	'forge.ofFolder': merged('Open Tracker or List of This Folder…', 'folder-library', signedIn, {
		choices: ['forge.repositories.openTracker', 'forge.repositories.openList'],
	}),
	'forge.repositories.openTracker': command('Open Tracker of This Folder', 'issues', 'never'),
	'forge.repositories.openList': command('Open List of This Folder', 'mail', 'never'),
	'forge.repositories.openProject': command('Open Related…', 'layers', set('forge.hasProjects'), {
		rows: [[whileTrue(set('forge.hasProjects'), rows(['tracker', 'list', 'repository'])), '4_forge@9']],
	}),
	'forge.repositories.switchReference': command(
		'Switch Remote Reference…',
		'git-branch',
		all(signedIn, any(scheme('forge'), page('repository'), focused('repositories'))),
		{
			rows: [
				[rows(['repository', 'reference']), '1_work@2'],
				[rows('reference'), 'inline@1'],
			],
			menus: { 'explorer/context': [[all(scheme('forge'), set('explorerResourceIsRoot'), signedIn), '2_workspace@1']] },
			help: 'to another branch, tag or commit',
			keys: { 'shift+b': ['repositories'] },
		},
	),
	'forge.repositories.download': command('Save Remote File…', '', 'never', {
		rows: [[rows('file', '-symlink'), '1_work@3']],
		menus: {
			'explorer/context': [[all(signedIn, scheme('forge'), not(set('explorerResourceIsFolder'))), '4_forge@2']],
		},
	}),
	'forge.repositories.downloadArtifact': command('Download Release File…', 'cloud-download', 'never', {
		rows: [[rows('artifact'), 'inline@1', '1_work@1']],
	}),
	'forge.repositories.create': command('Create Repository…', 'add', 'never', {
		titles: [['repositories', '2_manage@1', signedIn]],
	}),
	'forge.repositories.edit': command('Edit Repository…', 'edit', 'never', {
		rows: [[rows('repository.own'), 'more/2@1']],
	}),
	'forge.repositories.setDefaultBranch': command('Set Default Branch…', 'git-branch', 'never', {
		rows: [[rows('repository.own'), 'more/2@2']],
	}),
	'forge.repositories.delete': command('Delete Repository…', 'trash', 'never', {
		rows: [[rows('repository.own'), 'more/9@1']],
	}),
});
