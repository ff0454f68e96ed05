import { findInRepositories } from './repositories/find.ts';
import { manageRepositories } from './repositories/manage.ts';
import { repositoryPages } from './repositories/pages.ts';
import { repositoryTree } from './repositories/tree.ts';
import { inOneWindow } from './support/oneWindow.ts';

// Both dialects of repositories are shown by the contract suite; what the editor does with them is the same.
inOneWindow('repositories', 'field', [repositoryTree, findInRepositories, manageRepositories, repositoryPages]);
