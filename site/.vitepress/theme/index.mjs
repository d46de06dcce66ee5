// The default theme of VitePress, with pictures that follow its switch between dark and light.
import DefaultTheme from 'vitepress/theme';
import './pictures.css';

export default DefaultTheme;
